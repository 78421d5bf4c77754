import type { What } from '../points'

const BY_NUMBER = [
  'voucher noted',
  'voucher number kept',
  'voucher token made',
  'voucher cancellation',
  'voucher cancellation begun',
] as const satisfies What[]

const BY_REDIRECT = [
  'code exchange',
  'holder card',
  'grant renewal',
  'grant revocation',
  'redirect begun',
  'redirect moved',
  'code kept',
  'grant kept',
  'renewal noted',
] as const satisfies What[]

const BY_BOTH = [
  'voucher payment',
  'voucher query',
  'voucher token deleted',
  'voucher destroyed',
  'voucher forgotten',
  'voucher payment made',
  'voucher outcome saved',
  'voucher asking leased',
  'voucher events published',
  'voucher outbox emptied',
] as const satisfies What[]

type Cause = 'voucher' | 'redirect'

function causes(moments: readonly What[], ...kinds: Cause[]): [What, Cause[]][] {
  return moments.map((moment) => [moment, kinds])
}

/** The stories that lead to each moment of vouchers. */
export const VOUCHER_CAUSES: Partial<Record<What, Cause[]>> = Object.fromEntries([
  ...causes(BY_NUMBER, 'voucher'),
  ...causes(BY_REDIRECT, 'redirect'),
  ...causes(BY_BOTH, 'voucher', 'voucher', 'redirect'),
])

/** Moments that come only when the answer to a payment was lost. */
export const OF_LOST_ANSWERS: readonly What[] = ['voucher query', 'voucher asking leased']
/** Moments of a token's deletion. */
export const OF_DELETIONS: readonly What[] = [
  'voucher token deleted',
  'voucher destroyed',
  'voucher forgotten',
  'grant revocation',
]
/** Moments of a token whose access token has run out. */
export const OF_RENEWALS: readonly What[] = ['grant renewal', 'renewal noted']
