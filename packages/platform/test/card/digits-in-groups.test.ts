import { maskCardNumbersIn } from '../../src/card/card-number'
import { piecesOf } from '../../src/card/digit-pieces'
import { digitRunsIn } from '../../src/card/digit-runs'
import { bitOf } from '../../src/card/first-digits'

const CARD = '4111111111111111'
const MASKED = '411111******1111'
const FIELDS_OF_BOLETO = '23793.38128 60082.000090 55000.063305 7'

test.each([
  ['an Amex behind other digits', '12 3782 822463 10005', '12 378282*****0005'],
  ['an Amex behind a group with another separator', '2026-3782 822463 10005', '2026-378282*****0005'],
  ['a Diners in groups', '12 3056 930902 5904', '12 305693****5904'],
  ['a Diners behind one digit', '7 30569309025904', '7 305693****5904'],
  ['a number behind the fields of a boleto', `${FIELDS_OF_BOLETO} ${CARD}`, `${FIELDS_OF_BOLETO} ${MASKED}`],
  ['single digits with one more behind', `${Array.from(CARD).join(' ')} 5`, `${MASKED} 5`],
  [
    'fours at the beginning of many, with three digits at their end',
    `4111 1111 1111 1111 2350${' 0000'.repeat(7)} 111`,
    `${MASKED} 2350${' 0000'.repeat(7)} 111`,
  ],
])('%s is masked, and nothing else', (_, text, masked) => {
  expect(maskCardNumbersIn(text)).toBe(masked)
})

test.each([
  ['groups of 4-6-6', '4111 111111 111111'],
  ['groups of 4-8-4', '4111 11111111 1111'],
  ['groups of 4-4-4-5', '5018 0000 0000 12341'],
  ['groups of 4-6-5 with two separators', '3782 822463-10005'],
  ['groups of 4-4-4-3 with two separators', '3782 8224 6310-005'],
  ['groups of 8-5', '42222222 22222'],
  ['groups of 8-5 behind another digit', '1 42222222 22222'],
  ['fours with letters between them, among other digits', '12 4111x1111x1111x1111 34'],
  ['pairs', `41${' 11'.repeat(15)}`],
  ['twelve single digits and four', '4 1 1 1 1 1 1 1 1 1 1 1 1111'],
  ['twelve single digits and two, behind two', '12 4 2 2 2 2 2 2 2 2 2 2 2 22'],
  ['25 digits in one piece', `${CARD}123456789`],
])('%s are no number', (_, text) => {
  expect(maskCardNumbersIn(text)).toBe(text)
})

describe('a number that is known', () => {
  const known = new Set(['9876540000000000', '9876540000000000001', '675964982648'])

  test.each([
    ['in any groups', '98765 40000 000000', '987654******0000'],
    ['of 19 digits', '98765 40000 00000 0001', '987654*********0001'],
  ])('is masked %s', (_, text, masked) => {
    expect(maskCardNumbersIn(text, known)).toBe(masked)
  })

  test.each([
    ['its beginning', '987654000000'],
    ['its digits with a letter between them', '9876 5400x0000 0000'],
    ['a row of 44 digits that begins as it does', `675964 9826481${' 1'.repeat(31)}`],
  ])('%s stays as it is', (_, text) => {
    expect(maskCardNumbersIn(text, known)).toBe(text)
  })
})

test('the search ends with the first number when one is enough', () => {
  const pieces = piecesOf(`${CARD} and ${CARD}`, 32, false)
  const asked = { lengthsAt: () => bitOf(16) }
  expect(digitRunsIn(pieces, asked)).toHaveLength(2)
  expect(digitRunsIn(pieces, asked, 1)).toHaveLength(1)
})

test('zeros in front are left out while the digits behind them are enough for a number', () => {
  const text = `${'0'.repeat(13)} 4111`
  const asked: number[] = []
  const lengthsAt = (digit: number) => {
    asked.push(digit)
    return 0
  }
  digitRunsIn(piecesOf(text, text.length, false), { lengthsAt })
  expect(asked).toEqual([1])
})
