import { createHash } from 'node:crypto'
import { contrastOf } from '@cofre/platform/color'
import { drawn } from '@cofre/testing/random'
import { printedLine } from '../../src/boletos/rules/barcode'
import { colorsOf } from '../../src/booklets/html/booklet-colors'
import { drawBooklet } from '../../src/booklets/html/draw-booklet'
import { DEFAULT_THEME } from '../../src/catalog/themes/theme'
import { bookletSlip, bookletWith } from '../support/booklets'

type Changes = Parameters<typeof bookletSlip>[1]
/** The page of one slip, without its style. */
const pageOf = (changes: Changes = {}, facts: Parameters<typeof bookletWith>[0] = {}) =>
  drawBooklet(bookletWith({ slips: [bookletSlip(3, changes)], ...facts })).html.replace(
    /<style>.*<\/style>/s,
    '',
  )

test('a slip has all that the law and the banks ask for', () => {
  const { boleto } = bookletSlip(3)
  const html = pageOf()
  for (const words of [
    'Parcela 3/12',
    'Recibo do Pagador',
    'Pagável em qualquer banco até 09/06/2027',
    'Padaria Sol Ltda – CNPJ 12.ABC.345/01DE-35\nRua do Exemplo, 100',
    '1234-3 / 56789-0',
    '12345670000000003',
    '10/05/2027',
    'R$ 1.234,56',
    'Ana Conceição Łódź – CPF 123.456.789-09\nRua das Flores, 120',
    'Após 10/05/2027, cobrar multa de R$ 24,69.',
    'Não receber após 09/06/2027.',
    'Referente à mensalidade de março.',
    '<span class="code">001-9</span>',
    printedLine(boleto?.digitableLine ?? ''),
    `Código de barras: ${boleto?.barcode}`,
  ]) {
    expect(html).toContain(words)
  }
  for (const word of ['PAGÁVEL', 'PAGO', 'CANCELADO', 'VENCIDO', 'TESTES'])
    expect(html).not.toContain(`>${word}`)
})

const WORDY = 'Comércio e Distribuição de Materiais Elétricos '.repeat(6)
const ADDRESS =
  'Rodovia Governador Mário Covas BR-101, km 1234,5, galpão 17, Distrito Industrial, São José dos Pinhais - PR, 83005-970'

test.each([
  ['of 50 letters', WORDY.slice(0, 50)],
  ['of 107 letters', WORDY.slice(0, 107)],
  ['of 255 letters', WORDY.slice(0, 255)],
  ['of 255 wide letters', 'W'.repeat(255)],
  ['of 255 letters of the East', '王小明 '.repeat(64).slice(0, 255)],
  ['with line breaks', 'Comercial Exemplo Ltda\nA/C Financeiro\nSala 2'],
])('payer and beneficiary with a name %s keep document and address', (_what, name) => {
  const address = ADDRESS
  const payer = { name, document: '12345678909', address }
  const beneficiary = { ...bookletSlip(3).boleto?.beneficiary, name, document: '12ABC34501DE35', address }
  const html = pageOf({ boleto: { payer, beneficiary } as never })
  const cells = [...html.matchAll(/<dt>(?:Pagador|Beneficiário)<\/dt><dd>([^<]*)</g)].map(
    ([, text = '']) => text,
  )
  expect(cells).toHaveLength(4)
  for (const text of cells) expect(text).toMatch(/ – (CPF 123\.456\.789-09|CNPJ 12\.ABC\.345\/01DE-35)(\n|$)/)
  expect(cells.filter((text) => text.endsWith(`\n${ADDRESS}`))).toHaveLength(2)
})

const voided = { invoice: { status: 'CANCELLED' }, boleto: { status: 'CANCELLED' } } as const
const overdue = { boleto: { payableUntil: '2027-02-28', dueDay: '2027-02-20', lateOn: '2027-02-23' } }

test.each<[string, Changes, boolean, string | undefined]>([
  ['one that can be paid', {}, true, undefined],
  ['one of a sandbox', {}, false, 'NÃO PAGÁVEL'],
  ['one that was paid', { invoice: { status: 'PAID' }, boleto: { status: 'PAID' } }, true, 'PAGO'],
  [
    'one whose invoice a card has paid',
    { invoice: { status: 'PAID' }, boleto: { status: 'CANCELLED' } },
    true,
    'PAGO',
  ],
  ['one whose invoice was voided', voided, true, 'CANCELADO'],
  ['one that has expired', { boleto: { status: 'EXPIRED' } }, true, 'VENCIDO'],
  ['one whose last day is over', overdue, true, 'VENCIDO'],
])('%s', (_which, changes, isPayable, mark) => {
  const across = /class="across".*>([^<]+)<\/text>/.exec(pageOf(changes, { isPayable }))?.[1]
  expect(across).toBe(mark)
})

const unregistered = { status: 'PENDING', barcode: null, digitableLine: null, beneficiary: null }

test.each<[string, object | null, string]>([
  ['that the bank has not registered yet', unregistered, 'ainda não confirmou o registro'],
  ['that the bank has refused', { ...unregistered, status: 'REFUSED', refusal: 'X' }, 'Não há boleto'],
  ['that was cancelled while its invoice is open', { status: 'CANCELLED' }, 'Não há boleto'],
  ['that there is not', null, 'https://pay.example.com/checkout/'],
])('a slip %s has no digits, and explains why', (_which, boleto, words) => {
  const html = pageOf({ boleto: boleto as Changes extends { boleto?: infer B } ? B : never })
  expect(html).toContain(words)
  expect(html).not.toMatch(/class="bars"|class="line"|\d{5}\.\d{5} /)
})

test('a recurring invoice has slips too, without a known total', () => {
  const html = pageOf({}, { charges: null })
  expect(html).toContain('<h2>Parcela 3</h2>')
  expect(drawBooklet(bookletWith({ slips: [], charges: null })).html).toContain('Ainda não há parcelas.')
})

test('the page loads and runs nothing: its policy allows only its own style', () => {
  const { html, style } = drawBooklet(bookletWith())
  const css = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? ''
  expect(style).toBe(`'sha256-${createHash('sha256').update(css).digest('base64')}'`)
  expect(html).toContain(`content="default-src 'none'; style-src ${style};`)
  expect(html).not.toMatch(/<(script|img|link|iframe|object|form)\b| style=| on\w+=|url\(|@import/)
})

test('any colors of a theme leave its text readable', () => {
  const random = drawn('themes')
  const color = () => `#${random.int(0, 0xffffff).toString(16).padStart(6, '0')}`
  for (let themes = 0; themes < 300; themes++) {
    const theme = {
      ...DEFAULT_THEME,
      primaryColor: color(),
      headerBackground: color(),
      headerText: color(),
      bodyBackground: color(),
      bodyText: color(),
    }
    const rules = colorsOf(theme).split('@media')
    for (const rule of rules) {
      const named = new Map(
        [...rule.matchAll(/--([\w-]+):(#\w+);/g)].map(([, name, value]) => [name, value ?? '']),
      )
      const contrast = (text: string, ground: string) =>
        contrastOf(named.get(text) ?? '', named.get(ground) ?? '#FFFFFF')
      const pairs = [
        ['ground-ink', 'ground'],
        ['header-ink', 'header'],
        ['band-ink', 'band'],
        ['mark', 'paper'],
      ] as const
      expect([rule, pairs.filter(([text, ground]) => contrast(text, ground) < 4.5)]).toEqual([rule, []])
    }
  }
})

test('a booklet of 120 is drawn in a moment', () => {
  const slips = Array.from({ length: 120 }, (_, at) => bookletSlip(at + 1))
  const began = performance.now()
  const { html } = drawBooklet(bookletWith({ slips, charges: 120 }))
  expect(html.match(/<article /g)).toHaveLength(120)
  // The budget of a dozen is 300 ms.
  expect(performance.now() - began).toBeLessThan(3_000)
})
