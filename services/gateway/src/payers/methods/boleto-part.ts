import { BoletoStatus, type Boleto } from '@cofre/proto/invoices/v1/boletos'
import { moneyIn, momentIn, type Language } from '@cofre/platform/written'
import { boletoPayer } from '../play-payer'
import type { PageAsk, PagePart, Places } from './page-part'

const STATUS: Record<BoletoStatus, PageAsk['status']> = {
  [BoletoStatus.UNSPECIFIED]: 'OVER',
  [BoletoStatus.PENDING]: 'REQUESTED',
  [BoletoStatus.REGISTERED]: 'OPEN',
  [BoletoStatus.PAID]: 'PAID',
  [BoletoStatus.EXPIRED]: 'OVER',
  [BoletoStatus.CANCELLED]: 'OVER',
  [BoletoStatus.REFUSED]: 'REFUSED',
}

export const BOLETO_PART: PagePart = {
  name: 'boleto',
  path: 'boleto',
  icon: 'M4 6v12M7 6v12M11 6v12M13.5 6v12M17 6v12M20 6v12',
  viewOf: ({ boleto }, { language }, places) => ({
    requested: boleto?.status === BoletoStatus.PENDING,
    open: openBoletoOf(boleto, language, places),
  }),
  asks: {
    latest: ({ boleto }) => boleto && { status: STATUS[boleto.status], createdAt: boleto.createdAt },
    refused: ({ methods, boleto }) => ({ title: methods.BOLETO, text: boleto.refused }),
  },
}

/** A boleto that can be paid. `line`: in its printed groups; `digits`: as banks' apps take it. */
type OpenBoleto = {
  line: string
  digits: string
  payUntil: string
  amount: string
  pdfUrl: string
  /** Where its payer is played. */
  payer: string | undefined
  bars: Bars
}
type Bars = { width: number; path: string }

function openBoletoOf(
  boleto: Boleto | undefined,
  language: Language,
  { boletos, sandbox }: Places,
): OpenBoleto | undefined {
  if (boleto?.status !== BoletoStatus.REGISTERED) return undefined
  const { digitableLine: digits, barcode, dueDate, amount, publicId } = boleto
  return {
    line: groupedLine(digits),
    digits,
    payUntil: momentIn(language, dueDate),
    amount: moneyIn(language, amount),
    pdfUrl: `${boletos}/${publicId}.pdf`,
    payer: boletoPayer(sandbox, digits),
    bars: barsOf(barcode),
  }
}

/** As printed (FEBRABAN, layout of the digitable line): 00190.50095 40144.816069 06809.350314 3 37370000000100. */
export function groupedLine(digits: string): string {
  const groups = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/.exec(digits)
  if (!groups) return digits
  const [, a = '', b = '', c = '', d = '', e = '', f = '', check = '', end = ''] = groups
  return [`${a}.${b}`, `${c}.${d}`, `${e}.${f}`, check, end].join(' ')
}

/** Wide elements of each digit (ISO/IEC 16390, Interleaved 2 of 5). */
const WIDE = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010']
const WIDE_MODULES = 3

/** The bars of a barcode as an SVG path of height 1: pairs of digits, one in the bars, one in the spaces between. */
export function barsOf(barcode: string): Bars {
  const pairs = barcode.match(/\d\d/g) ?? []
  const inner = pairs.flatMap((pair) => {
    const [bars = '', spaces = ''] = Array.from(pair, (digit) => WIDE[Number(digit)] ?? '')
    return Array.from(bars, (bar, at) => [widthOf(bar), widthOf(spaces[at])]).flat()
  })
  const widths = [1, 1, 1, 1, ...inner, WIDE_MODULES, 1, 1]
  let width = 0
  const path = widths.map((each, at) => {
    const bar = at % 2 === 0 ? `M${width} 0h${each}v1h-${each}z` : ''
    width += each
    return bar
  })
  return { width, path: path.join('') }
}

function widthOf(element: string | undefined): number {
  return element === '1' ? WIDE_MODULES : 1
}
