/** The outcome of a card's authentication: immediate, or decided on its issuer's page. */
export type CardPlan =
  'CHALLENGE' | 'CHALLENGE_FAILS' | 'FRICTIONLESS' | 'REJECTED' | 'NOT_ENROLLED' | 'SYSTEM_ERROR'

type AuthenticationCards = { plan: CardPlan; outcome: string; visa: string; mastercard: string; elo: string }

/** The documented test cards of Cielo's 3-D Secure. Their authorization still goes by the last digit. */
export const AUTHENTICATION_CARDS: readonly AuthenticationCards[] = [
  {
    plan: 'CHALLENGE',
    outcome: 'challenge; the payer decides',
    visa: '4000000000001091',
    mastercard: '5200000000001096',
    elo: '6505290000001234',
  },
  {
    plan: 'CHALLENGE_FAILS',
    outcome: 'challenge that fails',
    visa: '4000000000001109',
    mastercard: '5200000000001104',
    elo: '6505050000001109',
  },
  {
    plan: 'NOT_ENROLLED',
    outcome: 'unavailable: not enrolled',
    visa: '4000000000001117',
    mastercard: '5200000000001112',
    elo: '6505050000001117',
  },
  {
    plan: 'SYSTEM_ERROR',
    outcome: 'unavailable: system error',
    visa: '4000000000001125',
    mastercard: '5200000000001120',
    elo: '6505050000001125',
  },
  {
    plan: 'FRICTIONLESS',
    outcome: 'authenticated without a challenge',
    visa: '4000000000001000',
    mastercard: '5200000000001005',
    elo: '6505050000001000',
  },
  {
    plan: 'REJECTED',
    outcome: 'rejected without a challenge',
    visa: '4000000000001018',
    mastercard: '5200000000001013',
    elo: '6505050000001018',
  },
]

const PLANS = new Map(
  AUTHENTICATION_CARDS.flatMap(({ plan, visa, mastercard, elo }) =>
    [visa, mastercard, elo].map((number): [string, CardPlan] => [number, plan]),
  ),
)

const BRANDS: [brand: string, prefix: RegExp][] = [
  ['ELO', /^(4011|4312|4389|4514|4573|5041|5066|5067|509|6277|6362|6363|650|6516|6550)/],
  ['VISA', /^4/],
  ['MASTERCARD', /^(5[1-5]|2[2-7])/],
  ['AMEX', /^3[47]/],
]

/** Returns the brand, or undefined when it has no 3-D Secure here. */
export function brandOf(number: string): string | undefined {
  return BRANDS.find(([, prefix]) => prefix.test(number))?.[0]
}

/** Returns the plan of a card: an unknown card authenticates without a challenge. */
export function planFor(number: string): CardPlan {
  if (!brandOf(number)) return 'NOT_ENROLLED'
  return PLANS.get(number) ?? 'FRICTIONLESS'
}
