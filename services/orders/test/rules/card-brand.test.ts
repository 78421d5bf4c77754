import { brandRefusal } from '../../src/charge/brand-refusal'
import { BRANDS, marksStoredCards } from '../../src/cielo/card-brand'

const POINTER = '#/payments/0/card'
const known = (brand: string) => ({ brand, isGuess: false })
const guessed = (brand: string) => ({ brand, isGuess: true })

/** The reason of a refusal for a sale in this many installments, or for a verification (0). */
const refusal = (brand: { brand: string; isGuess: boolean }, installments: number) => {
  const payment = installments === 0 ? { amount: 0, installments: 1 } : { amount: 100, installments }
  return brandRefusal({ brands: BRANDS }, brand, payment, POINTER)
}
const reasons = (brand: { brand: string; isGuess: boolean }) =>
  [0, 1, 2, 12].map((installments) => refusal(brand, installments)?.reason)

test.each(['VISA', 'MASTERCARD', 'ELO'])(
  '%s is verified, marked when stored, and taken in installments',
  (brand) => {
    expect(reasons(known(brand))).toEqual([undefined, undefined, undefined, undefined])
    expect(marksStoredCards(known(brand))).toBe(true)
  },
)

test.each(['AMEX', 'DINERS', 'JCB', 'HIPERCARD'])(
  '%s is taken in installments, and not verified',
  (brand) => {
    expect(reasons(known(brand))).toEqual(['CARD_BRAND_UNSUPPORTED', undefined, undefined, undefined])
    expect(marksStoredCards(known(brand))).toBe(false)
  },
)

test('Discover takes one payment; a guess of it takes installments, is verified and is marked when stored', () => {
  const refused = [
    'CARD_BRAND_UNSUPPORTED',
    undefined,
    'INSTALLMENTS_NOT_ALLOWED',
    'INSTALLMENTS_NOT_ALLOWED',
  ]
  expect(reasons(known('DISCOVER'))).toEqual(refused)
  expect(reasons(guessed('DISCOVER'))).toEqual([undefined, undefined, undefined, undefined])
  expect(marksStoredCards(known('DISCOVER'))).toBe(false)
  expect(marksStoredCards(guessed('DISCOVER'))).toBe(true)
})

test.each([
  ['VISA', 'Visa'],
  ['MASTERCARD', 'Master'],
  ['AMEX', 'Amex'],
  ['ELO', 'Elo'],
  ['HIPERCARD', 'Hipercard'],
  ['DINERS', 'Diners'],
  ['DISCOVER', 'Discover'],
  ['JCB', 'JCB'],
])('the acquirer calls %s %s', (brand, name) => {
  expect(BRANDS[brand]?.name).toBe(name)
})

test('a brand that the acquirer has no name for is not taken', () => {
  for (const brand of [known(''), guessed('AURA')]) {
    expect(reasons(brand)).toEqual(Array(4).fill('CARD_BRAND_UNSUPPORTED'))
  }
  expect(marksStoredCards(known('AURA'))).toBe(false)
})

test('a refusal names the member, and says what can be done', () => {
  const faults = [refusal(known('AURA'), 1), refusal(known('AMEX'), 0), refusal(known('DISCOVER'), 2)]
  const messages = [
    'The acquirer does not accept this card brand.',
    'The acquirer accepts this card brand but cannot verify its cards with amount 0. ' +
      'Skip the verification, or authorize the real amount.',
    'This card brand does not allow installments.',
  ]
  expect(faults.map((each) => each?.message)).toEqual(messages)
  expect(faults.map((each) => each?.kind)).toEqual(Array(3).fill('failed_precondition'))
  expect(faults.map((each) => each?.extra)).toEqual(
    faults.map((each, at) => ({ errors: [{ pointer: POINTER, code: each?.reason, detail: messages[at] }] })),
  )
})
