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
  ['of 15 digits, with its CVV right behind it', 'order 3782822463100051234', 'order 378282*****00051234'],
  ['with three digits more in their own piece', `${CARD} 235`, `${MASKED} 235`],
  ['of 19 digits in groups', '4111 1111 1111 1111 235', '411111*********1235'],
  ['in digits of a script that adjoins another', numberIn(0x116da), MASKED],
  ['in digits of the script before it', numberIn(0x116d0), MASKED],
  ['of a voucher that has no check digit', 'a 12 6370 3612 3456 7804 b', 'a 12 637036******7804 b'],
])('a number %s is masked', (_, text, masked) => {
  expect(maskCardNumbersIn(text)).toBe(masked)
})

test.each([
  ['a boleto as it is printed', BOLETO],
  ['the key of a tax receipt', RECEIPT],
  ['the key of a tax receipt behind other digits', `7 ${RECEIPT}`],
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
  expect(maskCardNumbersIn(`ref 4111 1111 1111 1111 235, ${CARD} and 5555555555554444`)).toBe(
    `ref ${longer}, ${MASKED} and 555555******4444`,
  )
})

describe('hexadecimal words', () => {
  test.each([
    ['a card before the word', `4111 1111 1111 1111 f7a3c9217a3c9217a3c9217a`, MASKED],
    ['a card behind the word', `f7a3c9217a3c9217a3c9217a 4111 1111 1111 1111`, MASKED],
    ['a card behind two words', `${'f7a3c9217a3c9217a3c9217a '.repeat(2)}4111 1111 1111 1111`, MASKED],
    ['a card between the dashes of a word', 'id 7f3a9c21-4111111111111111235-cafe', '411111*********1235'],
    ['groups behind hexadecimal letters', 'abcd-4111-1111-1111-1111', MASKED],
    ['groups before hexadecimal letters', '4111-1111-1111-1111-abcd', MASKED],
    ['digits behind letters', `cafe${CARD}`, MASKED],
    ['digits before letters', `${CARD}abcdefab`, MASKED],
    ['digits in the second of two words', `f7a3c9217a3c9217a3c9217a abcdefab${CARD}`, MASKED],
    ['digits of a word with two pieces, but short', `a1b${CARD}`, MASKED],
    ['digits that a UUID follows', `${CARD}-0f6c2f5e-5d0a-4c36-9a52-6c1b3b6f7a10`, MASKED],
    ['digits that follow a UUID', `0f6c2f5e-5d0a-4c36-9a52-6c1b3b6f7a10-${CARD}`, MASKED],
    ['groups without a letter', '1234-4111-1111-1111-1111', MASKED],
    ['groups behind another letter', 'xabcd-4111-1111-1111-1111', MASKED],
    ['groups before another letter', '4111-1111-1111-1111-abcdx', MASKED],
  ])('%s is masked', (_, text, masked) => {
    expect(maskCardNumbersIn(text)).toContain(masked)
  })

  test.each([
    ['digits between pieces of other digits', `a1b2${CARD}c3`],
    ['digits of a hash', `5f0c9d2e8b7a${CARD}e3f6a2b1`],
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
  expect(maskVoucherNumbersIn('1234 567890 12345, 1234-567890-1234 and 123-567890-1234')).toBe(
    '123456*****2345, 123456****1234 and 123-567890-1234',
  )
})

test('a card number in a text is found', () => {
  expect(holdsCardNumber(`ref ${CARD}`)).toBe(true)
  expect(holdsCardNumber('ref 4111111111111112')).toBe(false)
  expect(holdsCardNumber('ref 4111')).toBe(false)
})

describe('what is written out, or between the groups', () => {
  test.each([
    ['blanks of a URL', '4111%201111%201111%201111'],
    ['digits of a URL', '%34111111111111111'],
    ['full-width digits of a URL', '%EF%BC%94111111111111111'],
    ['a digit beyond 16 bits, of a URL', '%F0%9D%9F%92111111111111111'],
    ['a digit of another script, of a URL', '%E0%A5%AA111111111111111'],
    ['a digit of a URL in more bytes than it needs', '411111111111111%C0%B1'],
    ['hard blanks of a URL', '4111%C2%A01111%c2%a01111%C2%A01111'],
    ['underscores of a URL', '4111%5F1111%5F1111%5F1111'],
    ['hard blanks of HTML', '4111&nbsp;1111&nbsp;1111&nbsp;1111'],
    ['hard blanks of HTML, behind other digits', '12&nbsp;4111&nbsp;1111&nbsp;1111&nbsp;1111'],
    ['hard blanks of HTML without an end', '4111&nbsp1111&nbsp1111&nbsp1111'],
    ['digits of HTML', '&#52;&#49;&#49;&#49;111111111111'],
    ['digits of HTML in hexadecimal', '&#x34;&#X31;&#x31&#x31;111111111111'],
    ['a digit of HTML with zeros in front', '&#0000000052;111111111111111'],
    ['digits of JSON', '\\u0034111111111111111'],
    ['digits of a program', '\\x34111111111111111'],
    ['line breaks and tabs of JSON', '4111\\n1111\\r1111\\t1111'],
    ['commas', '4111,1111,1111,1111'],
    ['commas and blanks', '(4111, 1111, 1111, 1111)'],
    ['colons', '4111:1111:1111:1111'],
    ['semicolons', '4111;1111;1111;1111'],
    ['parentheses', '(4111) (1111) (1111) (1111)'],
    ['brackets', '[4111][1111][1111][1111]'],
    ['four blanks', '4111    1111    1111    1111'],
    ['keycaps', Array.from(CARD, (digit) => `${digit}\ufe0f\u20e3`).join('')],
    ['enclosing circles', Array.from(CARD, (digit) => `${digit}\u20dd`).join('')],
    ['marks beyond 16 bits', '4\u{101fd}11\u{101fd}1111111111111'],
    ['what is no character before it', `\uffff${CARD}`],
    ['fillers of Hangul', '4111\u31641111\u115f1111\uffa01111'],
    ['blanks of Braille', '4111\u28001111\u28001111\u28001111'],
    ['signs that stand for two digits', '4\u2460\u246a\u246a\u246a\u246a\u246a\u246a\u246a'],
    ['signs that stand for a digit and a full stop', `\u248b${'\u2488'.repeat(15)}`],
    ['dots of two ellipses', '4111\u2026\u20261111\u2026\u20261111\u2026\u20261111'],
    ['zeros in front', `0000${CARD}`],
    ['zeros in front, by fours', '0000 4111 1111 1111 1111'],
  ])('a number with %s is masked', (_, text) => {
    expect(maskCardNumbersIn(`ref ${text}.`)).not.toBe(`ref ${text}.`)
    expect(holdsCardNumber(text)).toBe(true)
  })

  test.each([
    ['a percent sign', `10%${CARD}`],
    ['the data of a stripe that reads as an escape', '%B4111111111111112^SOUZA/ANA^3012101?'],
    ['an ampersand', `&${CARD}&#`],
    ['a backslash', `\\${CARD}`],
  ])('%s before a number hides nothing', (_, text) => {
    expect(holdsCardNumber(text)).toBe(true)
  })

  test.each([
    ['a percent sign', '%3'],
    ['letters behind a percent sign', '%zz41111111111 %20'],
    ['a letter beyond f in place of half a digit', '%2k111111111111111 %20'],
    ['the letter behind f in place of half a digit', '4%2g12888888881881 %20'],
    ['half a character of a URL', '%EF%BC 123456789012'],
    ['bytes of a URL without their percent sign', '%EF%BC_94111111111111111'],
    ['a letter of a URL in place of half a digit', '%EF%BC%54111111111111111'],
    ['a number beyond all characters', '&#99999999; &#x110000; %F4%90%80%80 12'],
    ['an entity without its sign', '&a52;111111111111111 &#'],
    ['a letter behind a backslash', '\\d34111111111111111 \\n'],
    ['entities without a number', '&#; &#x; 123456789012'],
    ['letters that stand behind no backslash', '4111xt1111xt1111xt1111 %20'],
    ['an escape that is cut off', '123456789012\\u003'],
  ])('%s is read as it stands', (_, text) => {
    expect(maskCardNumbersIn(text)).toBe(text)
  })
})

describe('digits that no card is written in stay as they are', () => {
  test.each([
    ['six and ten', '411111-1111111111'],
    ['six and thirteen', '412001-1795790620029'],
    ['three and thirteen', '411-1111111111111'],
    ['thirteen and three', '4111111111111-111'],
    ['eleven and five', '41111111111-11111'],
    ['eighteen and one', '411111111111111123 5'],
    ['two eights with a dash', '41111111-11111111'],
    ['pairs', '41 11 11 11 11 11 11 11'],
    ['two phones with two kinds of separators', '4111-1111 1111-1111'],
    ['entries of a list of five', '4111, 1111, 1111, 1111, 2000'],
    ['entries behind another of a list', '12, 4111, 1111, 1111, 1111'],
    ['single entries of a list', Array.from(CARD).join(',')],
    ['five separators', '4111     1111     1111     1111'],
    ['separators of two kinds side by side', '4111-.1111-.1111-.1111'],
    ['diaereses between', '4111\u00a81111\u00a81111\u00a81111'],
    ['letters between', '4111x1111x1111x1111'],
    ['one or two digits right behind', `${CARD}12`],
    ['a Pix payment', 'E4111111120260115123011111111111'],
    ['a Pix return', 'D60746948202601151230A1b2C3d4E5f'],
    ['a printed CNPJ', '38.657.074/0001-78'],
    ['ten fours and three', `${'4111 '.repeat(8)}1111 1111 1111`],
    ['a boleto of 2030', '23793.38128 60082.000090 55000.063305 7 30569309025904'],
  ])('%s', (_, text) => {
    expect(maskCardNumbersIn(text)).toBe(text)
  })

  test.each([
    'order-552e451a-26b3-4401-9152-92813b8695ef-1',
    'ORD41f7a3c921-4111-4111-8111-111111111111',
    'PAY-F7A3C921-4111-4111-8111-111111111111-CAPTURE',
  ])('a UUID with anything attached: %s', (text) => {
    expect(maskCardNumbersIn(text)).toBe(text)
  })
})

/** The card number in the digits of another script, whose zero is this code point. */
function numberIn(zero: number): string {
  return Array.from(CARD, (digit) => String.fromCodePoint(zero + Number(digit))).join('')
}
