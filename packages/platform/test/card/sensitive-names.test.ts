import { isSensitiveName, mayHoldSensitiveName } from '../../src/card/sensitive-names'

const NAMES = [
  'cardNumber',
  'CARD_NUMBER',
  'cvv',
  'Cvv2',
  'CVC',
  'cvc-2',
  'security_code',
  'Security Code',
  'cryptogram',
  'encryptedCard',
  'EncryptedCVV',
]

test.each(NAMES)('%s names card data', (name) => {
  expect(isSensitiveName(name)).toBe(true)
  expect(mayHoldSensitiveName(`{"x":1,"${name}":"1"}`)).toBe(true)
})

test.each(['', 'number', 'cardNumbers', 'brand', 'lastFour', 'merchantKey'])('"%s" names none', (name) => {
  expect(isSensitiveName(name)).toBe(false)
})

test('a text without a sensitive name may be shown', () => {
  expect(mayHoldSensitiveName('{"brand":"VISA","number":"1","holder":"ANA SOUZA"}')).toBe(false)
  expect(mayHoldSensitiveName('')).toBe(false)
})
