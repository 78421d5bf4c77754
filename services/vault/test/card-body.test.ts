import { isBounded } from '@cofre/platform/json'
import * as fc from 'fast-check'
import { readCardBody } from '../src/body/card-body'
import type { JsonObject } from '../src/body/json'

const VOUCHER = '6370360000000001'
const NUMBERS = ['4242424242424242', '5105-1051-0510-5100', '3782 822463 10005']
const NAMES = [
  'card',
  'cardToken',
  'cardNumber',
  'cvv',
  'CVV2',
  'token',
  'holder',
  'document',
  'encryptedCard',
  '__proto__',
]

/** Any JSON, with card data anywhere in it, under the names that matter and under others. */
const { body } = fc.letrec<{ value: unknown; body: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(...NUMBERS, ...NUMBERS.map((it) => `for ${it}.`), 4242424242424242),
    fc.constantFrom(VOUCHER, `for ${VOUCHER}.`, Number(VOUCHER), '6370 3600 0000 0001'),
    fc.string(),
    fc.constantFrom(null, true, 12.5, ''),
    tie('body'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  body: fc.dictionary(fc.oneof(fc.constantFrom(...NAMES, ...NUMBERS, VOUCHER), fc.string()), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>,
}))

test('card data does not come out, wherever it stands in a body', () => {
  fc.assert(
    fc.property(body, (given) => {
      fc.pre(isBounded(given))
      const { masked, errors, found } = readCardBody(given, Date.now())
      const shown = JSON.stringify([masked, errors, found.map(({ pointer }) => pointer)])
      expect(shown).not.toMatch(/4242424242|5105-1051|510510510|3782 822463|378282246/)
    }),
    { numRuns: 2_000 },
  )
})

test('the number of a voucher does not come out, wherever it stands in its body', () => {
  fc.assert(
    fc.property(body, (given) => {
      const whole = { ...given, list: [{ cardNumber: VOUCHER }] }
      fc.pre(isBounded(whole))
      const { masked, errors, found } = readCardBody(whole, Date.now(), { kind: 'voucher' })
      const shown = JSON.stringify([masked, errors, found.map(({ pointer }) => pointer)])
      expect(shown).not.toMatch(/6370360000|6370 3600/)
    }),
    { numRuns: 2_000 },
  )
})
