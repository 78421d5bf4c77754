import type { Found } from '../src/issuer/issuer'
import { lookAt } from '../src/payment/resolve-outcome'
import { ABSENT, CANCELING, found, NOON, paidAt, UNKNOWN } from './support/a-payment'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a payment that is paid', () => {
  const paid = paidAt(NOON, { lookAgainAt: NOON + DAY_MS })
  const look = (what: Found, at = NOON + DAY_MS, payment = paid) => lookAt(payment, what, 'new', at)

  test.each([
    [1, 7],
    [6, 7],
    [7, 30],
    [29, 30],
  ])('and agrees on day %d is looked at on day %d', (day, next) => {
    expect(look(found('approved'), NOON + day * DAY_MS)).toMatchObject({
      verdict: 'agrees',
      decision: { payment: { status: 'PAID', lookAgainAt: NOON + next * DAY_MS }, event: undefined },
    })
  })

  test('and agrees after a month is not looked at again', () => {
    expect(look(found('approved'), NOON + 30 * DAY_MS).decision?.payment.lookAgainAt).toBeNull()
  })

  test('is canceled when it was canceled at the issuer, with its event', () => {
    expect(look(found('canceled'))).toMatchObject({
      verdict: 'canceled',
      decision: {
        payment: { status: 'CANCELED', canceledByIssuer: true, lookAgainAt: null, sequence: 2 },
        event: 'voucher_payment.canceled',
      },
    })
  })

  test.each([ABSENT, found('declined'), found('approved', 1), found('canceled', 1)])(
    'and differs is for people, once a day: %#',
    (what) => {
      expect(look(what)).toMatchObject({
        verdict: 'unexplained',
        decision: { payment: { status: 'PAID', lookAgainAt: NOON + 2 * DAY_MS }, event: undefined },
      })
    },
  )

  test('waits for a cancellation of ours', () => {
    const canceling = paidAt(NOON, { operation: CANCELING, askAt: NOON })
    expect(look(found('canceled'), NOON + DAY_MS, canceling)).toMatchObject({
      verdict: 'agrees',
      decision: { payment: { status: 'PAID', lookAgainAt: NOON + DAY_MS + HOUR_MS } },
    })
  })

  test('without an answer is looked at ever more rarely, and at last no more', () => {
    const next = (day: number) => look(UNKNOWN, NOON + day * DAY_MS).decision?.payment.lookAgainAt
    expect([next(1), next(5), next(61)]).toEqual([
      NOON + DAY_MS + HOUR_MS,
      NOON + 9 * DAY_MS,
      NOON + 121 * DAY_MS,
    ])
    expect(next(62)).toBeNull()
  })
})
