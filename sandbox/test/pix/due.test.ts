import { dueOn, lastPayableDay } from '../../src/pix/charges/due'
import { cobVBody } from '../../src/pix/charges/charge-request'
import { cobv } from './pix-bank'

const valueOn = (valor: object, day: string, calendario: object = {}) =>
  dueOn(cobVBody.parse(cobv({ valor, calendario })), day)
const last = (dataDeVencimento: string, validadeAposVencimento: number) =>
  lastPayableDay({ dataDeVencimento, validadeAposVencimento })

// The examples A to G of the document.
test.each([
  ['2020-10-20', 4, '2020-10-26'],
  ['2020-12-25', 0, '2020-12-28'],
  ['2020-12-25', 1, '2020-12-29'],
  ['2020-12-25', 3, '2020-12-31'],
  ['2020-12-25', 4, '2021-01-04'],
  ['2021-08-27', 5, '2021-09-01'],
  ['2021-08-28', 5, '2021-09-06'],
])('a charge due on %s and valid for %i days is payable until %s', (due, days, day) => {
  expect(last(due, days)).toBe(day)
})

test.each([
  ['a fixed fine', { multa: { modalidade: 1, valorPerc: '3.50' } }, { multa: 350 }],
  ['a fine of 2 %', { multa: { modalidade: 2, valorPerc: '2.00' } }, { multa: 200 }],
  ['R$ 0,10 a day', { juros: { modalidade: 1, valorPerc: '0.10' } }, { juros: 70 }],
  ['0.5 % a day', { juros: { modalidade: 2, valorPerc: '0.50' } }, { juros: 350 }],
  // 10000 × 1 % × 7 / 30 is 23.33.
  ['1 % a month', { juros: { modalidade: 3, valorPerc: '1.00' } }, { juros: 23 }],
  // 10000 × 12 % × 7 / 365 is 23.01.
  ['12 % a year', { juros: { modalidade: 4, valorPerc: '12.00' } }, { juros: 23 }],
  // From Wednesday to the next Wednesday there are five open days.
  ['R$ 0,10 an open day', { juros: { modalidade: 5, valorPerc: '0.10' } }, { juros: 50 }],
  ['0.5 % an open day', { juros: { modalidade: 6, valorPerc: '0.50' } }, { juros: 250 }],
  // 10000 × 1 % × 5 / 21 is 23.81; 10000 × 12 % × 5 / 252 is 23.81.
  ['1 % a month of 21 open days', { juros: { modalidade: 7, valorPerc: '1.00' } }, { juros: 24 }],
  ['12 % a year of 252 open days', { juros: { modalidade: 8, valorPerc: '12.00' } }, { juros: 24 }],
])('seven days late, %s is added', (_what, terms, parts) => {
  const due = valueOn({ original: '100.00', ...terms }, '2049-10-20')
  const [added = 0] = Object.values(parts)
  expect(due).toMatchObject({ original: 10_000, desconto: 0, ...parts, total: 10_000 + added })
  // Nothing on the due date itself.
  expect(valueOn({ original: '100.00', ...terms }, '2049-10-13').total).toBe(10_000)
})

test.each([
  ['R$ 1 for each day', { modalidade: 3, valorPerc: '1.00' }, 700],
  // 12 October is a holiday.
  ['R$ 1 for each open day', { modalidade: 4, valorPerc: '1.00' }, 400],
  ['0.25 % for each day', { modalidade: 5, valorPerc: '0.25' }, 175],
  ['0.25 % for each open day', { modalidade: 6, valorPerc: '0.25' }, 100],
])('seven days early, %s is taken off', (_what, desconto, off) => {
  expect(valueOn({ original: '100.00', desconto }, '2049-10-06')).toMatchObject({
    desconto: off,
    total: 10_000 - off,
  })
  expect(valueOn({ original: '100.00', desconto }, '2049-10-13').total).toBe(10_000)
  expect(valueOn({ original: '100.00', desconto }, '2049-10-14').total).toBe(10_000)
})

test('a discount until fixed days is the one of the next of them', () => {
  const descontoDataFixa = [
    { data: '2049-10-10', valorPerc: '5.00' },
    { data: '2049-09-30', valorPerc: '10.00' },
  ]
  const on = (modalidade: number, day: string) =>
    valueOn({ original: '200.00', desconto: { modalidade, descontoDataFixa } }, day).desconto
  expect(['2049-09-30', '2049-10-01', '2049-10-10', '2049-10-11'].map((day) => on(1, day))).toEqual([
    1_000, 500, 500, 0,
  ])
  expect(on(2, '2049-09-30')).toBe(2_000)
})

test('a due date on a Saturday moves, and so do the discount of that day, fine and interest', () => {
  const terms = {
    original: '100.00',
    multa: { modalidade: 2, valorPerc: '2.00' },
    juros: { modalidade: 1, valorPerc: '0.10' },
    desconto: { modalidade: 1, descontoDataFixa: [{ data: '2049-03-13', valorPerc: '1.00' }] },
  }
  const on = (day: string) => valueOn(terms, day, { dataDeVencimento: '2049-03-13' }).total
  expect([on('2049-03-13'), on('2049-03-15'), on('2049-03-16')]).toEqual([9_900, 9_900, 10_210])
})

test('fine and interest are of the amount less the rebate, each rounded once, half up', () => {
  const terms = {
    original: '10.00',
    abatimento: { modalidade: 2, valorPerc: '0.05' },
    multa: { modalidade: 2, valorPerc: '0.05' },
    juros: { modalidade: 3, valorPerc: '1.00' },
  }
  // 0.5 cents up to 1; 999 × 0.05 % down to 0; 999 × 1 % × 45 / 30 is 14.985.
  expect(valueOn(terms, '2049-11-27')).toEqual({
    original: 1_000,
    abatimento: 1,
    desconto: 0,
    multa: 0,
    juros: 15,
    total: 1_014,
  })
})

test('a payer who is very early still pays a cent', () => {
  const desconto = { modalidade: 6, valorPerc: '10.00' }
  expect(valueOn({ original: '123.45', desconto }, '2049-05-06')).toMatchObject({ total: 1 })
})

test('the largest amount is exact', () => {
  const terms = { original: '9999999999.99', juros: { modalidade: 4, valorPerc: '12.34' } }
  // 999999999999 × 1234 / 10000 / 365 is 338082191.78.
  expect(valueOn(terms, '2049-10-14').juros).toBe(338_082_192)
})
