import { printedLine } from '../../src/boleto/barcode'
import { drawBoleto } from '../../src/boleto-pdf/draw-boleto'
import type { PrintedBoleto } from '../../src/boleto-pdf/printed-boleto'
import { prepareReader, readBars } from '../support/barcode-reader'
import { readPdf } from '../support/pdf-text'
import { randomSlips } from '../support/boleto-oracle'
import { slip } from '../support/slips'

beforeAll(prepareReader)

const textOf = async (boleto: PrintedBoleto, isPayable = false) =>
  readPdf(await drawBoleto(boleto, { isPayable })).text

test('a slip has all that the law and the banks ask for, in both of its parts', async () => {
  const boleto = slip()
  const text = await textOf(boleto)
  const twice = [
    printedLine(boleto.digitableLine),
    '001-9',
    'Padaria Sol Ltda – CNPJ 12.ABC.345/01DE-35',
    'Rua do Exemplo, 100',
    '1234-3 / 56789-0',
    '12345670000000042',
    '10/03/2027',
    'Ana Conceição Lódz – CPF 123.456.789-09',
    'Após 10/03/2027, cobrar multa de R$ 246,91.',
    'Após 10/03/2027, cobrar juros de R$ 4,12 por dia desde 10/03/2027 (1,00% ao mês).',
    'Não receber após 09/04/2027.',
    'Referente à mensalidade de março.',
  ]
  const count = (words: string) => text.split('\n').filter((piece) => piece === words).length
  expect(twice.map((words) => [words, count(words)])).toEqual(twice.map((words) => [words, 2]))
  for (const words of ['Recibo do Pagador', 'Pagável em qualquer banco até 09/04/2027', 'R$ 12.345,67']) {
    expect(text).toContain(words)
  }
})

test.each([
  ['NÃO PAGÁVEL', {}, false],
  ['PAGO', { status: 'PAID' }, true],
  ['CANCELADO', { status: 'CANCELLED' }, true],
  ['VENCIDO', { status: 'EXPIRED' }, true],
] as const)('%s stands across the slip', async (mark, changes, isPayable) => {
  expect((await textOf(slip(changes), isPayable)).split('\n').filter((piece) => piece === mark)).toHaveLength(
    2,
  )
})

test('nothing stands across a slip that can be paid', async () => {
  const text = await textOf(slip(), true)
  for (const word of ['PAGÁVEL', 'PAGO', 'CANCELADO', 'VENCIDO', 'TESTES']) expect(text).not.toContain(word)
})

test.each([
  [{ fine: null, interest: null }, [], ['multa', 'juros']],
  [
    { fine: { amountInCents: 500, percentageBps: null, startsAfterDays: 5 } },
    ['Após 14/03/2027, cobrar multa de R$ 5,00.'],
    [],
  ],
  [
    { interest: { dailyAmountInCents: 33, monthlyPercentageBps: null, startsAfterDays: 1 } },
    ['cobrar juros de R$ 0,33 por dia desde 10/03/2027.'],
    [],
  ],
  // Interest of a day is less than half a cent.
  [{ amount: 100 }, ['cobrar juros de 1,00% ao mês, por dia desde 10/03/2027.'], []],
  // A weekend's due date may be paid on the next business day: nothing is late then.
  [{ dueDay: '2027-03-13', lateOn: '2027-03-16' }, ['Após 15/03/2027, cobrar multa'], []],
])('the instructions to cashiers follow %j', async (changes, present, absent) => {
  const text = await textOf(slip(changes))
  for (const words of present) expect(text).toContain(words)
  for (const words of absent) expect(text).not.toContain(words)
})

test('instructions of any length fit on one page', async () => {
  const pdf = await drawBoleto(slip({ instructions: Array.from({ length: 20 }, () => 'x '.repeat(50)) }), {
    isPayable: false,
  })
  expect(pdf.toString('latin1').match(/\/Type \/Page\n/g)).toHaveLength(1)
})

test('a reader reads the bars, 103 by 13 millimetres', async () => {
  for (const given of randomSlips(20)) {
    const boleto = slip(given)
    const { rectangles } = readPdf(await drawBoleto(boleto, { isPayable: false }))
    const bars = rectangles.filter(
      ({ width, height }) => width < 3 && Math.abs(height - (13 * 72) / 25.4) < 0.001,
    )
    expect(bars).toHaveLength(114)
    expect(await readBars(bars)).toBe(boleto.barcode)
  }
})

/** The payer's name as it is printed on the paper. */
async function payerOn(name: string): Promise<string | undefined> {
  const payer = { name, document: '12345678909', address: 'Rua das Flores, 120' }
  const { text } = readPdf(await drawBoleto(slip({ payer }), { isPayable: true }))
  return /^(.*) – CPF 123\.456\.789-09$/m.exec(text)?.[1]
}

test.each([
  ['accents that are letters of their own', 'Jose\u0301 Conceic\u0327a\u0303o', 'José Conceição'],
  ['letters with a stroke', 'Łukasz Đorđević', 'Lukasz Dordevic'],
  ['Turkish letters', 'Işıl Öztürk', 'Isil Öztürk'],
  ['Vietnamese letters', 'Nguyễn Thị Hạnh', 'Nguyen Thi Hanh'],
  ['Greek letters', 'Γιώργος Καραμανλής', 'Giorgos Karamanlis'],
  ['Cyrillic letters', 'Юлия Щербакова', 'Iuliia Shcherbakova'],
  ['joined letters and full widths', 'ﬁlipa Ａｎａ', 'filipa Ana'],
  ['what is not seen', 'Ana\u200b\u202e Sou\u00adza', 'Ana Souza'],
  ['what no Latin letter stands for', '王芳 Wang', '?? Wang'],
])('a payer’s name with %s is printed readably', async (_what, name, printed) => {
  expect(await payerOn(name)).toBe(printed)
})
