import { printedOf, standingOf, type BookletSlip, type SlipStanding } from '../booklet-slip'
import {
  codeOf,
  dayWritten,
  instructionsOf,
  markOf,
  momentWritten,
  reais,
} from '../../boletos/pdf/slip-words'
import type { Party } from '../../boletos/pdf/fitted-party'
import type { PrintedBoleto } from '../../boletos/pdf/printed-boleto'
import { dayOf } from '@cofre/platform/calendar-day'

/** The data that all slips of a page share. `charges` null: their number is not fixed. `isPayable` false: a sandbox. */
export type Shared = {
  charges: number | null
  sellerName: string
  isPayable: boolean
  /** The payment pages are below this URL. */
  baseUrl: string
  /** Epoch milliseconds. */
  at: number
}

/** A slip as it is printed. `printed` is undefined when the slip has no digits. */
export type PrintedSlip = {
  title: string
  standing: SlipStanding
  /** The standing in words, for the reader. */
  standingWord: string
  /** The word across the slip, if any. */
  mark: string | undefined
  printed: PrintedBoleto | undefined
  payTo: string
  /** Who is paid; without a document while no bank knows the slip. */
  beneficiary: Party | undefined
  /** Branch and account of the beneficiary. */
  code: string
  payer: Party
  documentNumber: string
  ourNumber: string
  issued: string
  due: string
  amount: string
  instructions: string
  place: string
  /** The page on which the invoice is paid by other means. */
  paymentUrl: string
}

const PAYABLE = 'Pagável em qualquer banco até'

export function printedSlip(slip: BookletSlip, shared: Shared): PrintedSlip {
  const { invoice, boleto } = slip
  const { charges, sellerName, isPayable, baseUrl, at } = shared
  const standing = standingOf(slip, at)
  const printed = printedOf(slip, standing)
  const shown = standing === 'NONE' ? null : boleto
  const { name, document, address } = shown?.payer ?? { ...invoice.customer, address: '' }
  const payTo = printed?.beneficiary.name ?? sellerName
  return {
    title: charges === null ? `Parcela ${invoice.cycle}` : `Parcela ${invoice.cycle}/${charges}`,
    standing,
    standingWord: standingWord(slip, standing, isPayable),
    mark: standing === 'NONE' ? undefined : markOf({ status: standing }, isPayable),
    printed,
    payTo,
    beneficiary: printed?.beneficiary,
    code: printed ? codeOf(printed) : '',
    payer: { name, document, address },
    documentNumber: invoice.invoiceNumber,
    ourNumber: printed?.ourNumber ?? '',
    issued: momentWritten(shown?.createdAt ?? invoice.createdAt),
    due: dayWritten(shown?.dueDay ?? dayOf(invoice.dueDate)),
    amount: reais(shown?.amount ?? invoice.amount),
    instructions: shown ? instructionsOf(shown).join('\n') : '',
    place: shown ? `${PAYABLE} ${dayWritten(shown.payableUntil)}` : '',
    paymentUrl: `${baseUrl}/checkout/${invoice.publicId}`,
  }
}

const WORDS: Record<Exclude<SlipStanding, 'PAID' | 'REGISTERED'>, string> = {
  CANCELLED: 'Cancelada',
  EXPIRED: 'Boleto vencido',
  PENDING: 'Em registro',
  NONE: 'Sem boleto',
}

function standingWord({ invoice }: BookletSlip, standing: SlipStanding, isPayable: boolean): string {
  if (standing === 'REGISTERED') return isPayable ? 'A pagar' : 'Não pagável'
  if (standing !== 'PAID') return WORDS[standing]
  return invoice.paymentDate === null ? 'Paga' : `Paga em ${momentWritten(invoice.paymentDate)}`
}
