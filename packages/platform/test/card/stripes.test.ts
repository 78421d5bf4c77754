import { maskCardNumbersIn } from '../../src/card/card-number'

/** The numbers on a magnetic stripe are masked whether they pass Luhn or not. */
test.each([
  ['the first track', '%B1234567890123456^SOUZA/ANA^3012', '%B123456******3456^SOUZA/ANA^3012'],
  ['the second track', ';1234567890123456=30121010000000?', ';123456******3456=30121010000000?'],
  ['a track behind other digits', 'order 7 %B1234567890123456^', 'order 7 %B123456******3456^'],
  ['a number of 12 digits', '%B123456789012^', '%B123456**9012^'],
  ['a number of 19 digits', '%B1234567890123456789^', '%B123456*********6789^'],
])('%s is masked', (_, text, masked) => {
  expect(maskCardNumbersIn(text)).toBe(masked)
})

test.each([
  ['a number of 20 digits', '%B12345678901234567890^'],
  ['a number without the letter of the first track', '1234567890123456^'],
  ['a number with half an expiry', ';1234567890123456=12?'],
  ['a number with a year behind a blank', '1234567890123456 2026'],
])('%s is on no track', (_, text) => {
  expect(maskCardNumbersIn(text)).toBe(text)
})
