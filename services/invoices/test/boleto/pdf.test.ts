import { printedLine } from '../../src/boletos/rules/barcode'
import { drawBoleto } from '../../src/boletos/pdf/draw-boleto'
import type { PrintedBoleto } from '../../src/boletos/pdf/printed-boleto'
import { COPY_AND_PASTE } from '@cofre/testing/stand-ins/invoices/pix'
import { prepareReader, readBars, readDark } from '../support/barcode-reader'
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
    'Após 10/03/2027, cobrar juros de R$ 4,11 por dia após 10/03/2027 (1,00% ao mês).',
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
    {
      discounts: [
        { until: '2027-03-05', amount: 123_456 },
        { until: '2027-03-10', amount: 100 },
      ],
    },
    ['Até 05/03/2027, conceder desconto de R$ 1.234,56.', 'Até 10/03/2027, conceder desconto de R$ 1,00.'],
    [],
  ],
  [
    { fine: { amountInCents: 500, percentageBps: null, startsAfterDays: 5 } },
    ['Após 14/03/2027, cobrar multa de R$ 5,00.'],
    [],
  ],
  [
    { interest: { dailyAmountInCents: 33, monthlyPercentageBps: null, startsAfterDays: 1 } },
    ['cobrar juros de R$ 0,33 por dia após 10/03/2027.'],
    [],
  ],
  // Interest of a day is less than half a cent: none is asked for.
  [{ amount: 100 }, ['cobrar multa de R$ 0,02.'], ['juros']],
  // Interest counts from its own first day.
  [
    {
      amount: 100_000,
      interest: { dailyAmountInCents: null, monthlyPercentageBps: 100, startsAfterDays: 5 },
    },
    ['Após 14/03/2027, cobrar juros de R$ 0,33 por dia após 14/03/2027 (1,00% ao mês).'],
    [],
  ],
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

const PIX = { copyAndPaste: COPY_AND_PASTE.padEnd(512, '0'), payableUntil: '2027-04-09' }

test('instructions of any length fit beside the longest Pix code, and none is lost', async () => {
  const instructions = Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(100, ' palavra'))
  const pdf = await drawBoleto(slip({ instructions }), { isPayable: true, pix: PIX })
  const { text, dark } = readPdf(pdf)
  expect(pdf.toString('latin1').match(/\/Type \/Page\n/g)).toHaveLength(1)
  const payers = text.slice(0, text.indexOf('Pix Copia e Cola')).replaceAll('\n', ' ')
  expect(instructions.filter((line) => !payers.includes(line.trim()))).toEqual([])
  expect(text.replaceAll(/\s/g, '')).toContain(PIX.copyAndPaste.replaceAll(/\s/g, ''))
  expect(await readDark(dark)).toBe(PIX.copyAndPaste)
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

const WORDY = 'Comércio e Distribuição de Materiais Elétricos e Hidráulicos '.repeat(5)
const ADDRESS =
  'Rodovia Governador Mário Covas BR-101, km 1234,5, galpão 17, bloco B, Distrito Industrial, São José dos Pinhais - PR, 83005-970'

const LONG = `${ADDRESS}, ${'Complemento muito longo '.repeat(4)}`.trim()

/** The text of a slip with words that were cut into lines put together again. */
const wholeText = async (changes: Parameters<typeof slip>[0]) =>
  (await textOf(slip(changes))).replaceAll(/\s+/g, ' ')

test.each([
  ['of 50 letters', WORDY.slice(0, 50), true],
  ['of 107 letters', WORDY.slice(0, 107), true],
  ['of 160 letters', WORDY.slice(0, 160), true],
  ['of 255 letters', WORDY.slice(0, 255), true],
  ['with line breaks', 'Comercial Exemplo Ltda\nA/C Financeiro\nSala 2', true],
  ['of 255 wide letters', 'W'.repeat(255), false],
  ['of 255 wide letters in words', 'WWWW MMMM '.repeat(26).slice(0, 255), false],
])(
  'payer and beneficiary with a name %s keep document and address on both parts',
  async (_what, name, isWhole) => {
    for (const address of ['Rua das Flores, 120', ADDRESS, LONG]) {
      const payer = { name, document: '12345678909', address, place: null }
      const beneficiary = { ...slip().beneficiary, name, address }
      const text = await wholeText({ payer, beneficiary })
      const times = (words: string) => text.split(words).length - 1
      expect(times('CPF 123.456.789-09')).toBe(2)
      expect(times('CNPJ 12.ABC.345/01DE-35')).toBe(2)
      expect(times(address)).toBe(4)
      if (isWhole && address !== LONG) expect(times(`${name.replaceAll('\n', ' ').trim()} – C`)).toBe(4)
    }
  },
)

test('a name that does not fit is cut at a word', async () => {
  const payer = {
    name: 'WWWW MMMM '.repeat(26).trim(),
    document: '12345678909',
    address: ADDRESS,
    place: null,
  }
  const text = await wholeText({
    payer,
    beneficiary: { ...slip().beneficiary, name: payer.name, address: ADDRESS },
  })
  for (const [, word] of text.matchAll(/(\w+)… – C/g)) expect(['WWWW', 'MMMM']).toContain(word)
})

/** The payer's name as it is printed on the paper. */
async function payerOn(name: string): Promise<string | undefined> {
  const payer = { name, document: '12345678909', address: 'Rua das Flores, 120', place: null }
  const { text } = readPdf(await drawBoleto(slip({ payer }), { isPayable: true }))
  return /^(.*) – CPF 123\.456\.789-09$/m.exec(text)?.[1]
}

test.each([
  ['accents that are letters of their own', 'Jose\u0301 Conceic\u0327a\u0303o', 'José Conceição'],
  ['letters with a stroke', 'Łukasz Đorđević', 'Lukasz Dordevic'],
  ['Turkish letters', 'Işıl Öztürk', 'Isil Öztürk'],
  ['Vietnamese letters', 'Nguyễn Thị Hạnh', 'Nguyen Thi Hanh'],
  ['Greek letters', 'Γιώργος Καραμανλής', 'Giorgos Karamanlis'],
  ['Cyrillic letters', 'Юлий Щербаков', 'Yuliy Shcherbakov'],
  ['joined letters and full widths', 'ﬁlipa Ａｎａ', 'filipa Ana'],
  ['what is not seen', 'Ana\u200b\u202e Sou\u00adza', 'Ana Souza'],
  ['Chinese characters', '王小明', 'Wang Xiao Ming'],
  ['Arabic letters', 'محمد علي', 'mHmd aaly'],
  ['a mark that the font lacks', 'Sag\u0303ui', 'Sagui'],
  ['what no Latin letter stands for', 'Padaria 🍞', 'Padaria ?'],
])('a payer’s name with %s is printed readably', async (_what, name, printed) => {
  expect(await payerOn(name)).toBe(printed)
})
