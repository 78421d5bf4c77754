import { issuerOf, lengthsOf } from '../../src/card/card-brand'

test.each([
  ['401178', 'ELO', [16]],
  ['606282', 'HIPERCARD', [13, 16, 19]],
  ['400000', 'VISA', [13, 16, 19]],
  ['510000', 'MASTERCARD', [16]],
  ['340000', 'AMEX', [15]],
  ['300000', 'DINERS', [14, 16]],
  ['601100', 'DISCOVER', [16, 19]],
  ['352800', 'JCB', [16, 19]],
] as const)('a number that begins with %s is of %s and has %j digits', (first, brand, lengths) => {
  expect(issuerOf(first)).toEqual({ brand, lengths, isGuess: false })
  expect(lengthsOf(brand)).toEqual(lengths)
})

test.each([
  ['650000', 'ELO'],
  ['622126', 'DISCOVER'],
])('a guess has the lengths of all brands that may have issued it: %s', (first, brand) => {
  expect(issuerOf(first)).toEqual({ brand, lengths: [16, 19], isGuess: true })
})
