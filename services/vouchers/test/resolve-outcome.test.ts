import type { Found } from '../src/issuer/issuer'
import { recordRepeated } from '../src/payment/payment-outcome'
import { isSentAgain, lookAt, resolveOutcome } from '../src/payment/resolve-outcome'
import {
  ABSENT,
  aPayment,
  CANCELING,
  DEADLINE,
  deniedByAbsence,
  found,
  NOON,
  paidAt,
  RELEASING,
  UNKNOWN,
} from './support/a-payment'

const GRACE_MS = 120_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The last moment at which the issuer's silence proves nothing, and the first at which it does. */
const [BEFORE, AFTER] = [DEADLINE + GRACE_MS, DEADLINE + GRACE_MS + 1]

/** Of the day of the payment, in São Paulo. */
const MIDNIGHT = NOON + 12 * HOUR_MS

const truth = (what: Found, askedAt = BEFORE) => ({ found: what, askedAt, graceMs: GRACE_MS })
const NOTHING = { decision: undefined, unexplained: false }
const UNEXPLAINED = { decision: undefined, unexplained: true }

describe('a payment without an answer', () => {
  test('found approved is paid, with the issuer’s id', () => {
    const { decision } = resolveOutcome(aPayment(), truth(found('approved')))
    expect(decision).toMatchObject({
      payment: { status: 'PAID', operation: null, askAt: null, paidAt: NOON, issuerPaymentId: 'p-1' },
      event: 'voucher_payment.paid',
      mark: { operationId: 'operation', end: 'answered' },
    })
  })

  test('found declined is denied, with the reason, and counts as a decline', () => {
    const { decision } = resolveOutcome(aPayment(), truth(found('declined')))
    expect(decision).toMatchObject({
      payment: {
        status: 'DENIED',
        deniedAt: BEFORE,
        decline: { code: 'INSUFFICIENT_FUNDS', issuerCode: '51' },
      },
      event: 'voucher_payment.denied',
      mark: { end: 'answered' },
    })
  })

  test('is denied as absent only when it can no longer arrive, counts as no decline, and is looked at again', () => {
    expect(resolveOutcome(aPayment(), truth(ABSENT, BEFORE))).toEqual(NOTHING)
    expect(resolveOutcome(aPayment(), truth(ABSENT, AFTER)).decision).toMatchObject({
      payment: {
        status: 'DENIED',
        deniedAt: null,
        decline: { code: 'NOT_PROCESSED', issuerCode: '' },
        absentSince: AFTER,
        lookAgainAt: AFTER + HOUR_MS,
      },
      mark: { end: 'freed' },
    })
  })

  test('found canceled without our request is reported, and denied once it can no longer arrive', () => {
    expect(resolveOutcome(aPayment(), truth(found('canceled'), BEFORE))).toEqual(UNEXPLAINED)
    expect(resolveOutcome(aPayment(), truth(found('canceled'), AFTER))).toMatchObject({
      decision: {
        payment: {
          status: 'DENIED',
          deniedAt: null,
          decline: { code: 'NOT_PROCESSED', issuerCode: '' },
          issuerPaymentId: 'p-1',
          lookAgainAt: null,
        },
        event: 'voucher_payment.denied',
        mark: { end: 'freed' },
      },
      unexplained: false,
    })
  })

  test.each([
    ['approved with another amount', found('approved', 3_501)],
    ['declined with another amount', found('declined', 1)],
  ])('found %s is left to people', (_name, what) => {
    expect(resolveOutcome(aPayment(), truth(what, AFTER))).toEqual(UNEXPLAINED)
  })
})

describe('a cancellation without an answer', () => {
  const canceling = paidAt(NOON, { operation: CANCELING, askAt: NOON + 2_000 })

  test('is done when the issuer says so', () => {
    expect(resolveOutcome(canceling, truth(found('canceled'))).decision).toMatchObject({
      payment: { status: 'CANCELED', operation: null, paidAt: NOON },
      event: 'voucher_payment.canceled',
      mark: { end: 'answered' },
    })
  })

  test('did not happen when the payment is there and it can no longer arrive: on its day it is sent again', () => {
    for (const [when, again] of [
      [BEFORE, false],
      [AFTER, true],
      [MIDNIGHT - 1, true],
    ] as const) {
      expect(resolveOutcome(canceling, truth(found('approved'), when))).toEqual(NOTHING)
      expect(isSentAgain(canceling, truth(found('approved'), when))).toBe(again)
    }
    for (const other of [ABSENT, UNKNOWN, found('canceled'), found('declined'), found('approved', 1)]) {
      expect(isSentAgain(canceling, truth(other, AFTER))).toBe(false)
    }
  })

  test('that did not happen on its day has failed, and is not sent again', () => {
    expect(isSentAgain(canceling, truth(found('approved'), MIDNIGHT))).toBe(false)
    expect(resolveOutcome(canceling, truth(found('approved'), MIDNIGHT)).decision).toMatchObject({
      payment: { status: 'PAID', operation: null, cancelFailedAt: MIDNIGHT, sequence: 2, askAt: null },
      event: 'voucher_payment.cancel_failed',
      mark: { operationId: 'operation', end: 'freed' },
    })
  })

  test('that is sent again ends by its answer', () => {
    const record = (outcome: Parameters<typeof recordRepeated>[2], id = 'operation') =>
      recordRepeated(canceling, id, outcome, AFTER)
    expect(record({ result: 'done' })).toMatchObject({ payment: { status: 'CANCELED' } })
    expect(record({ result: 'refused' })).toMatchObject({
      payment: { status: 'PAID', operation: null, cancelFailedAt: AFTER },
      event: 'voucher_payment.cancel_failed',
    })
    for (const result of ['not_sent', 'unknown'] as const) {
      expect(record({ result })).toMatchObject({ payment: { operation: CANCELING }, event: undefined })
    }
    expect(record({ result: 'refused' }, 'another')).toMatchObject({ payment: { operation: CANCELING } })
  })

  test('is no question of a payment that is asked about', () => {
    expect(isSentAgain(aPayment(), truth(found('approved'), AFTER))).toBe(false)
    expect(isSentAgain(paidAt(NOON), truth(found('approved'), AFTER))).toBe(false)
  })

  test('of a payment that the issuer does not know is reported once it can no longer arrive', () => {
    expect(resolveOutcome(canceling, truth(ABSENT, BEFORE))).toEqual(NOTHING)
    expect(resolveOutcome(canceling, truth(ABSENT, AFTER))).toEqual(UNEXPLAINED)
  })

  test('of a payment that the issuer declined, or that has another amount, is left to people', () => {
    expect(resolveOutcome(canceling, truth(found('declined')))).toEqual(UNEXPLAINED)
    expect(resolveOutcome(canceling, truth(found('canceled', 1)))).toEqual(UNEXPLAINED)
  })
})

describe('a release', () => {
  const releasing = deniedByAbsence({ operation: RELEASING, askAt: NOON, lookAgainAt: null })

  test.each([found('canceled'), found('declined')])('is over when nothing is held: %#', (what) => {
    const { decision } = resolveOutcome(releasing, truth(what))
    expect(decision).toMatchObject({
      payment: { status: 'DENIED', operation: null, askAt: null },
      event: undefined,
      mark: undefined,
    })
  })

  test('is not over when the issuer no longer knows the payment, which is reported', () => {
    expect(resolveOutcome(releasing, truth(ABSENT, BEFORE))).toEqual(NOTHING)
    expect(resolveOutcome(releasing, truth(ABSENT, AFTER))).toEqual(UNEXPLAINED)
  })

  test('that may leave at any time is never too late', () => {
    const anyTime = { ...releasing, operation: { ...RELEASING, dispatchDeadline: null } }
    expect(resolveOutcome(anyTime, truth(ABSENT, AFTER + DAY_MS))).toEqual(NOTHING)
  })

  test('is not over while the payment is there, however long it takes', () => {
    expect(resolveOutcome(releasing, truth(found('approved'), AFTER))).toEqual(NOTHING)
    expect(resolveOutcome(releasing, truth(found('approved', 1), AFTER))).toEqual(UNEXPLAINED)
  })
})

test('an unknown answer changes nothing, and a payment without an operation is not resolved', () => {
  for (const operation of [aPayment().operation, CANCELING]) {
    expect(resolveOutcome(paidAt(NOON, { operation, askAt: NOON }), truth(UNKNOWN, AFTER))).toEqual(NOTHING)
  }
  expect(resolveOutcome(paidAt(NOON), truth(found('canceled'), AFTER))).toEqual(NOTHING)
})

describe('a payment that was denied for its absence, looked at again', () => {
  const look = (what: Found, at: number) => lookAt(deniedByAbsence(), what, 'release', at)

  test('and still absent, is looked at after a day and then no more', () => {
    const [first, last] = [look(ABSENT, NOON + HOUR_MS), look(ABSENT, NOON + DAY_MS)]
    expect(first).toMatchObject({ verdict: 'absent', decision: { payment: { lookAgainAt: NOON + DAY_MS } } })
    expect(last).toMatchObject({ verdict: 'absent', decision: { payment: { lookAgainAt: null } } })
  })

  test('before an hour has passed, is looked at when it has', () => {
    const lookAgainAt = NOON + HOUR_MS
    expect(look(ABSENT, lookAgainAt - 1)).toMatchObject({ decision: { payment: { lookAgainAt } } })
  })

  test.each(['declined', 'canceled'] as const)('and found %s, holds nothing', (state) => {
    const { verdict, decision } = look(found(state), NOON + HOUR_MS)
    expect([verdict, decision?.payment.operation]).toEqual(['absent', null])
  })

  test('and found approved, is given back at once', () => {
    expect(look(found('approved'), NOON + HOUR_MS)).toMatchObject({
      verdict: 'late',
      decision: {
        payment: {
          status: 'DENIED',
          operation: { type: 'RELEASE', id: 'release', dispatchDeadline: null, since: NOON + HOUR_MS },
          askAt: NOON + HOUR_MS,
          lookAgainAt: null,
          issuerPaymentId: 'p-1',
        },
        event: undefined,
        mark: undefined,
      },
    })
  })

  test('and found with another amount, is left to people', () => {
    const { decision, verdict } = look(found('approved', 1), NOON + HOUR_MS)
    expect([verdict, decision?.payment.operation]).toEqual(['unexplained', null])
  })

  test('and found with another amount, is reported each day until nothing is held', () => {
    const [first, third] = [NOON + HOUR_MS, NOON + 3 * DAY_MS]
    const nextLook = (what: Found, at: number) => look(what, at).decision?.payment.lookAgainAt
    expect(nextLook(found('approved', 1), first)).toBe(NOON + DAY_MS)
    expect(nextLook(found('approved', 1), third)).toBe(third + DAY_MS)
    expect(nextLook(found('canceled', 1), third)).toBeNull()
    const held = look(found('approved', 1), third).decision?.payment ?? aPayment()
    expect(lookAt(held, UNKNOWN, 'release', NOON + 9 * DAY_MS).decision).toBeUndefined()
  })

  test('without an answer is looked at again, for a week', () => {
    expect(look(UNKNOWN, NOON + 7 * DAY_MS - 1)).toEqual({ verdict: 'unclear', decision: undefined })
    const { verdict, decision } = look(UNKNOWN, NOON + 7 * DAY_MS)
    expect([verdict, decision?.payment.lookAgainAt]).toEqual(['unclear', null])
  })
})
