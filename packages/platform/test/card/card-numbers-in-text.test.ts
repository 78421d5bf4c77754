import { holdsCardNumber, maskCardNumbersIn, maskVoucherNumbersIn } from '../../src/card/card-number'

const CARD = '4111111111111111'
const MASKED = '411111******1111'
const BOLETO = '23793.38128 60082.000090 55000.063305 7 89170000010000'
/** A tax receipt's key. Four of its groups look like a card number. */
const RECEIPT = '3526 1112 4111 1111 1111 1111 0550 0100 0000 0112 3457'

test.each([
  ['behind other digits', `order 12–4111–1111–1111–1111`, `order 12–${MASKED}`],
  ['with its CVV right behind it', `order ${CARD}123`, `order ${MASKED}123`],
  ['at the beginning of 24 digits in one piece', `order ${CARD}12345678`, `order ${MASKED}12345678`],
  ['of 15 digits, with one more right behind it', 'order 3782822463100057', 'order 378282*****00057'],
  ['of 19 digits in two pieces', '411111111111111123 5', '411111*********1235'],
  ['in digits of a script that adjoins another', numberIn(0x116da), MASKED],
  ['in digits of the script before it', numberIn(0x116d0), MASKED],
  ['of a voucher that has no check digit', 'a 12 6370 3612 3456 7804 b', 'a 12 637036******7804 b'],
])('a number %s is masked', (_, text, masked) => {
  expect(maskCardNumbersIn(text)).toBe(masked)
})

test.each([
  ['a boleto as it is printed', BOLETO],
  ['the key of a tax receipt', RECEIPT],
  ['what is no number, in any alphabet', 'ﬁne ② José'],
])('%s stays as it was written', (_, text) => {
  expect(maskCardNumbersIn(text)).toBe(text)
})

test.each([
  ['before a boleto', `${CARD} ${BOLETO}`],
  ['behind a boleto', `${BOLETO} ${CARD}`],
  ['before the key of a tax receipt', `${CARD} ${RECEIPT}`],
  ['behind the key of a tax receipt', `${RECEIPT} ${CARD}`],
])('a number %s is masked, maybe with some of the digits beside it', (_, text) => {
  const masked = maskCardNumbersIn(text)
  expect(masked).toContain(MASKED)
  expect(masked).not.toContain(CARD)
})

test('when two numbers begin at one place, the longer one is masked, once', () => {
  const longer = '411111*********1235'
  expect(maskCardNumbersIn(`${CARD} 235`)).toBe(longer)
  expect(maskCardNumbersIn(`ref ${CARD} 235, ${CARD} and 5555555555554444`)).toBe(
    `ref ${longer}, ${MASKED} and 555555******4444`,
  )
})

describe('hexadecimal words', () => {
  test.each([
    ['a card before the word', `4111 1111 1111 1111 f7a3c9217a3c9217a3c9217a`, MASKED],
    ['a card behind the word', `f7a3c9217a3c9217a3c9217a 4111 1111 1111 1111`, MASKED],
    ['a card behind two words', `${'f7a3c9217a3c9217a3c9217a '.repeat(2)}4111 1111 1111 1111`, MASKED],
    ['a card between the dashes of a word', 'id 7f3a9c21-4111111111111111235-cafe', '411111*********1235'],
    ['groups with less than twenty digits', 'ab-4111-1111-1111-1111', MASKED],
    ['groups without a letter', '1234-4111-1111-1111-1111', MASKED],
    ['groups behind another letter', 'xabcd-4111-1111-1111-1111', MASKED],
    ['groups before another letter', '4111-1111-1111-1111-abcdx', MASKED],
  ])('%s is masked', (_, text, masked) => {
    expect(maskCardNumbersIn(text)).toContain(masked)
  })

  test.each([
    ['groups of digits and letters, twenty in all', 'abcd-4111-1111-1111-1111'],
    ['digits in the second of two words', `f7a3c9217a3c9217a3c9217a abcdefab${CARD}`],
    ['digits at the end', `abcdefab${CARD}`],
    ['digits at the beginning', `${CARD}abcdefab`],
    ['digits behind letters and before a dash', `abcdefabc${CARD}-cafe`],
    ['digits behind a dash and before letters', `cafe-${CARD}abcdefabc`],
    ['digits between dashes that are no card', '7f3a9c21-4111111111111112-cafe0bad'],
  ])('%s stay as they are', (_, text) => {
    expect(maskCardNumbersIn(text)).toBe(text)
  })
})

describe('numbers that are known', () => {
  const known = new Set(['9876540000000000', '675964982648'])

  test.each([
    ['9876540000000000', '987654******0000'],
    ['12 9876 5400 0000 0000', '12 987654******0000'],
    ['6759 6498 2648', '675964**2648'],
    ['x6759649826489', 'x675964**26489'],
  ])('%s is shown as %s', (text, masked) => {
    expect(maskCardNumbersIn(text, known)).toBe(masked)
  })

  test('are masked beside the others, and no other digits are taken for one', () => {
    expect(maskCardNumbersIn(`${CARD} and 1234 5678 9012 3456`, known)).toBe(
      `${MASKED} and 1234 5678 9012 3456`,
    )
  })
})

test('a text about vouchers shows no number, whether it looks like a card or not', () => {
  expect(maskVoucherNumbersIn('1234 5678 9012 3456, 123456789012 and 12345678901')).toBe(
    '123456******3456, 123456**9012 and 12345678901',
  )
})

test('a card number in a text is found', () => {
  expect(holdsCardNumber(`ref ${CARD}`)).toBe(true)
  expect(holdsCardNumber('ref 4111111111111112')).toBe(false)
})

/** The card number in the digits of another script, whose zero is this code point. */
function numberIn(zero: number): string {
  return Array.from(CARD, (digit) => String.fromCodePoint(zero + Number(digit))).join('')
}
