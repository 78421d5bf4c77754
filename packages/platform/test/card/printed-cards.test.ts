import * as fc from 'fast-check'
import { holdsCardNumber, maskCardNumber, maskCardNumbersIn } from '../../src/card/card-number'

describe('every card number that is written as cards are, among ordinary words', () => {
  const SEPARATORS = [
    ' ',
    '  ',
    '    ',
    '-',
    ' - ',
    '\u2013',
    '.',
    '\u00b7',
    '/',
    '\\',
    '|',
    '*',
    '+',
    '~',
    '_',
  ].concat(['\t', '\n', ',', ', ', ':', ';', ')(', '] [', '"', '%20', '&nbsp;', '\u00a0', '\u200b', '\u3164'])
  const WORDS = [
    'pago com',
    'obrigada,',
    'order',
    'cartão:',
    'no',
    'Ana',
    'dez',
    'visto!',
    '(sim)',
    'e-mail',
    '',
  ]
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((all) => all.join(' '))

  test('is found, and none of its digits beyond the first six and last four are shown', () => {
    const written = fc.tuple(fc.nat(99_999_999), fc.constantFrom(...FORMS), fc.constantFrom(...SEPARATORS))
    fc.assert(
      fc.property(written, words, words, ([seed, { prefix, groups }, separator], before, after) => {
        const number = cardOf(
          prefix,
          groups.reduce((sum, each) => sum + each, 0),
          seed,
        )
        const text = `${before} ${inGroups(number, groups).join(separator)} ${after}`
        expect(holdsCardNumber(text)).toBe(true)
        expect(maskCardNumbersIn(text)).toContain(maskCardNumber(number))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The forms in which cards are printed, each with first digits of brands whose cards have that length. */
const FORMS = [
  ...['4000', '5105', '2223', '506731', '606282', '601100', '352800', '622500', '675900'].flatMap(
    (prefix) => [
      { prefix, groups: [16] },
      { prefix, groups: [4, 4, 4, 4] },
    ],
  ),
  ...['4000', '622500', '606282'].flatMap((prefix) => [
    { prefix, groups: [19] },
    { prefix, groups: [4, 4, 4, 4, 3] },
  ]),
  ...['3400', '3712'].flatMap((prefix) => [
    { prefix, groups: [15] },
    { prefix, groups: [4, 6, 5] },
    { prefix, groups: [4, 4, 4, 3] },
  ]),
  ...['3000', '3600', '3850'].flatMap((prefix) => [
    { prefix, groups: [14] },
    { prefix, groups: [4, 6, 4] },
    { prefix, groups: [4, 4, 4, 2] },
  ]),
  { prefix: '4222', groups: [13] },
]

/** A number of these first digits and this length, with its check digit. */
function cardOf(prefix: string, length: number, seed: number): string {
  const body = `${prefix}${String(seed).padStart(15, '7')}`.slice(0, length - 1)
  const sum = Array.from(body, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

function inGroups(number: string, groups: readonly number[]): string[] {
  let at = 0
  return groups.map((size) => number.slice(at, (at += size)))
}
