import type { Found } from '../../src/acquirer/acquirer'
import { requestCapture } from '../../src/charge/capture'
import type { Charge } from '../../src/charge/charge'
import { recordOutcomes } from '../../src/charge/operation-outcome'
import { requestRefund } from '../../src/charge/refund'
import { dispatchDue, expire } from '../../src/charge/release'
import { isAsked, resolveOutcome } from '../../src/charge/resolve-outcome'
import { PAUSE_MS, authorizedCharge, found, OVER, pendingCharge, STILL, SURE, TERMS, truths } from './charges'

const ABSENT: Found = { result: 'absent' }
const NOT_SENT = { result: 'not_sent' } as const
const UNKNOWN = { result: 'unknown' } as Found
const SEVERAL = { result: 'several' } as Found

const capturing = (...amounts: number[]) =>
  requestCapture(authorizedCharge(...amounts), undefined, TERMS).charge
const voiding = (...amounts: number[]) => refundOf(authorizedCharge(...amounts), undefined)
const refundOf = (charge: Charge, amount: number | undefined) =>
  requestRefund(charge, { amount, reason: null }, TERMS).charge
const captured = (amount: number) =>
  recordOutcomes(capturing(amount), new Map([[2, { result: 'done' }]]), 1_200, PAUSE_MS).charge
const expiring = (amount: number) => expire(authorizedCharge(amount), TERMS).charge
const sent = (charge: Charge) =>
  dispatchDue(
    charge,
    charge.transactions.filter(({ status }) => status === 'PENDING'),
    TERMS,
    PAUSE_MS,
  ).charge

const resolved = (charge: Charge, askedAt: number, ...heard: (Found | undefined)[]) =>
  resolveOutcome(charge, truths(askedAt, ...heard))

/** The outcome for the charge and its last operation; `undefined`: nothing is decided. */
function outcome(...asked: Parameters<typeof resolved>) {
  const { decision, unexplained } = resolved(...asked)
  const last = decision?.charge.transactions.at(-1)
  return { status: decision?.charge.status, last: last?.status, why: last?.failure?.code, unexplained }
}
const NOTHING = { status: undefined, last: undefined, why: undefined, unexplained: [] as number[] }
const UNEXPLAINED = { ...NOTHING, unexplained: [0] }

describe('an authorization without an answer', () => {
  const charge = pendingCharge(100)

  test.each([
    ['authorized', 'AUTHORIZED', 'SUCCEEDED'],
    ['captured', 'AUTHORIZED', 'SUCCEEDED'],
    ['declined', 'DENIED', 'FAILED'],
  ] as const)('is what the acquirer says: %s', (state, status, last) => {
    expect(outcome(charge, 1_600, found(state, 100))).toMatchObject({ status, last, unexplained: [] })
  })

  test('of a charge that is captured at once was captured', () => {
    const direct = { ...charge, direct: true }
    expect(outcome(direct, 1_600, found('captured', 100))).toMatchObject({ status: 'CAPTURED' })
    const held = { status: 'AUTHORIZED', last: 'FAILED', why: 'NOT_DONE' }
    expect(outcome(direct, 1_600, found('authorized', 100))).toMatchObject(held)
  })

  test('that the acquirer ended in another way failed, at the time of the question and with its code', () => {
    const { charge: ended } = resolved(charge, 1_600, found('voided', 100, { code: '77' } as never)).decision!
    const failure = { code: 'ACQUIRER_REFUSED', acquirerCode: '77' }
    expect(ended).toMatchObject({ status: 'FAILED', updatedAt: 1_600, transactions: [{ failure }] })
  })

  test('that has not left yet is not resolved', () => {
    const transactions = charge.transactions.map((one) => ({ ...one, dispatchDeadline: null }))
    expect(outcome({ ...charge, transactions }, OVER, found('authorized', 100))).toEqual(NOTHING)
  })

  test.each([
    ['not decided there either', found('undecided', 100)],
    ['unknown', UNKNOWN],
    ['not asked about', undefined],
  ])('stays as it is while it is %s', (_, heard) => {
    expect(outcome(charge, SURE + 1, heard)).toEqual(NOTHING)
  })

  test('did not happen once it can no longer leave and the grace is over, not before', () => {
    expect(outcome(charge, STILL, ABSENT)).toEqual(NOTHING)
    expect(outcome(charge, OVER, ABSENT)).toMatchObject({ status: 'FAILED', last: 'FAILED', why: 'NOT_SENT' })
  })

  test('is denied by an unsure decline only after its longer time', () => {
    expect(outcome(charge, SURE, found('unsure', 100))).toEqual(NOTHING)
    expect(outcome(charge, SURE + 1, found('unsure', 100))).toMatchObject({ status: 'DENIED' })
  })

  test('is looked at again when its end is a conclusion, and not when the acquirer is sure', () => {
    const lookOf = (askedAt: number, heard: Found) =>
      resolved(charge, askedAt, heard).decision?.charge.lookAgainAt ?? null
    expect(lookOf(OVER, ABSENT)).toBe(OVER + 3_600_000)
    expect(lookOf(SURE + 1, found('unsure', 100))).toBe(SURE + 1 + 3_600_000)
    expect(lookOf(1_600, found('declined', 100))).toBeNull()
  })

  test.each([
    ['another amount', found('authorized', 99)],
    ['several sales', SEVERAL],
  ])('is unexplained where the acquirer has %s', (_, heard) => {
    expect(outcome(charge, OVER, heard)).toEqual(UNEXPLAINED)
  })
})

describe('a capture without an answer', () => {
  test('happened when its amount is captured, and is unexplained when another amount is', () => {
    expect(outcome(capturing(100), 1_600, found('captured', 100))).toMatchObject({
      status: 'CAPTURED',
      last: 'SUCCEEDED',
    })
    expect(outcome(capturing(100), OVER, found('captured', 100, { capturedAmount: 99 }))).toEqual(UNEXPLAINED)
  })

  test('of a payment that is voided failed, and the payment is voided', () => {
    const after = resolved(capturing(100), 1_600, found('voided', 100)).decision?.charge
    expect(after).toMatchObject({ status: 'VOIDED', payments: [{ status: 'VOIDED' }] })
    expect(after?.transactions.at(-1)).toMatchObject({
      status: 'FAILED',
      failure: { code: 'PAYMENT_VOIDED' },
    })
  })

  test('of a payment that is held still failed once it can no longer happen', () => {
    const held = found('authorized', 100)
    expect(outcome(capturing(100), STILL, held)).toEqual(NOTHING)
    expect(outcome(capturing(100), OVER, held)).toMatchObject({
      status: 'AUTHORIZED',
      last: 'FAILED',
      why: 'NOT_DONE',
    })
  })

  test('of a payment that was declined is unexplained', () => {
    expect(outcome(capturing(100), OVER, found('declined', 100))).toEqual(UNEXPLAINED)
  })

  test.each(['undecided', 'unsure'] as const)('waits while the payment is %s', (state) => {
    expect(outcome(capturing(100), OVER, found(state, 100))).toEqual(NOTHING)
  })

  test.each([
    ['known', UNKNOWN],
    ['asked about', undefined],
  ])('of two payments is resolved for the one that is %s', (_, other) => {
    const { decision, unexplained } = resolved(capturing(60, 40), 1_600, found('captured', 60), other)
    expect(unexplained).toEqual([])
    const ends = decision?.charge.transactions.slice(2).map(({ status }) => status)
    expect(ends).toEqual(['SUCCEEDED', 'PENDING'])
    const second = resolved(capturing(60, 40), 1_600, other, found('captured', 40))
    expect(second).toMatchObject({ unexplained: [], decision: { events: [] } })
  })

  test('of two payments is reported for each that is unexplained, and the other is resolved', () => {
    const other = found('captured', 40, { capturedAmount: 1 })
    const { decision, unexplained } = resolved(capturing(60, 40), OVER, found('captured', 60), other)
    expect(decision?.charge.payments.map(({ capturedAmount }) => capturedAmount)).toEqual([60, 0])
    expect(unexplained).toEqual([1])
  })

  test('of a sale that the acquirer does not know is unexplained once it can no longer leave', () => {
    expect(outcome(capturing(100), STILL, ABSENT)).toEqual(NOTHING)
    expect(outcome(capturing(100), OVER, ABSENT)).toEqual(UNEXPLAINED)
  })

  test('of an unknown sale waits for no other payment, nor for a part that failed', () => {
    const later = { ...TERMS, deadline: OVER + 1_000 }
    const [first, second] = capturing(60, 40).transactions.slice(2)
    const transactions = [first!, { ...second!, dispatchDeadline: later.deadline }]
    expect(outcome({ ...capturing(60, 40), transactions }, OVER, ABSENT, ABSENT)).toEqual(UNEXPLAINED)
    const unsent = recordOutcomes(capturing(100), new Map([[2, NOT_SENT]]), 1_200, PAUSE_MS).charge
    expect(outcome(requestCapture(unsent, 50, TERMS).charge, OVER, ABSENT)).toEqual(UNEXPLAINED)
  })

  test('that has not left is not resolved by a captured payment', () => {
    const [authorization, capture] = capturing(100).transactions
    const transactions = [authorization!, { ...capture!, dispatchDeadline: null }]
    expect(outcome({ ...capturing(100), transactions }, OVER, found('captured', 100))).toEqual(NOTHING)
  })
})

describe('a void without an answer', () => {
  test('happened when the payment is voided, and failed when it is held after the deadline', () => {
    expect(outcome(voiding(100), 1_600, found('voided', 100))).toMatchObject({
      status: 'VOIDED',
      last: 'SUCCEEDED',
    })
    expect(outcome(voiding(100), STILL, found('authorized', 100))).toEqual(NOTHING)
    for (const state of ['authorized', 'captured'] as const) {
      expect(outcome(voiding(100), OVER, found(state, 100))).toMatchObject({
        last: 'FAILED',
        why: 'NOT_DONE',
      })
    }
  })

  test('of a payment that was declined is unexplained', () => {
    expect(outcome(voiding(100), OVER, found('declined', 100))).toEqual(UNEXPLAINED)
  })
})

describe('an expiry', () => {
  test('is asked about before it has left, and ends when the payment is voided or was never held', () => {
    const charge = expiring(100)
    expect(charge.transactions.map(isAsked)).toEqual([true, true])
    expect(outcome(charge, 1_600, found('voided', 100))).toMatchObject({
      status: 'EXPIRED',
      last: 'SUCCEEDED',
    })
    expect(outcome(charge, 1_600, found('declined', 100))).toMatchObject({ status: 'EXPIRED' })
  })

  test('of a payment that is held stays, however often it was sent', () => {
    expect(outcome(expiring(100), OVER, found('authorized', 100))).toEqual(NOTHING)
    expect(outcome(sent(expiring(100)), OVER * 10, found('authorized', 100))).toEqual(NOTHING)
  })

  test('of a payment that turns out captured is unexplained', () => {
    expect(outcome(expiring(100), 1_600, found('captured', 100))).toEqual(UNEXPLAINED)
    expect(outcome(sent(expiring(100)), OVER, found('captured', 100))).toEqual(UNEXPLAINED)
  })

  test('of a sale that the acquirer does not know is unexplained when its own time is over', () => {
    expect(outcome(expiring(100), TERMS.at + 50, ABSENT)).toEqual(NOTHING)
    expect(outcome(expiring(100), TERMS.at + 51, ABSENT)).toEqual(UNEXPLAINED)
  })
})

describe('a release', () => {
  const releasing = (): Charge => {
    const charge = expiring(60)
    const transactions = charge.transactions.map((one) =>
      one.type === 'VOID' ? { ...one, cause: 'RELEASE' as const, dispatchDeadline: TERMS.deadline } : one,
    )
    return { ...charge, transactions }
  }

  test('stays until the money is free, even if it was captured', () => {
    for (const state of ['authorized', 'captured'] as const) {
      expect(outcome(releasing(), OVER, found(state, 60))).toEqual(NOTHING)
    }
    expect(outcome(releasing(), 1_600, found('voided', 60))).toMatchObject({ last: 'SUCCEEDED' })
  })
})

describe('refunds without an answer', () => {
  test('wait for their time; then those that were given back happened, and the others failed', () => {
    const charge = refundOf(captured(100), 40)
    const some = found('captured', 100, { voidedAmount: 40 })
    expect(outcome(charge, STILL, some)).toEqual(NOTHING)
    expect(outcome(charge, OVER, some)).toMatchObject({ status: 'PARTIALLY_REFUNDED', last: 'SUCCEEDED' })
    expect(outcome(charge, OVER, found('captured', 100))).toMatchObject({ last: 'FAILED', why: 'NOT_DONE' })
  })

  test('that no sum explains are unexplained', () => {
    const charge = refundOf(captured(100), 40)
    expect(outcome(charge, OVER, found('captured', 100, { voidedAmount: 39 }))).toEqual(UNEXPLAINED)
  })

  test('of the whole captured amount happened when the payment is voided, with or without a voided amount', () => {
    const charge = refundOf(captured(100), 100)
    for (const voidedAmount of [0, 100]) {
      const all = found('voided', 100, { voidedAmount, capturedAmount: 100 } as never)
      expect(outcome(charge, OVER, all)).toMatchObject({ status: 'REFUNDED', last: 'SUCCEEDED' })
    }
  })

  test('are explained by the amount given back beyond the known refunds', () => {
    const first = refundOf(captured(100), 30)
    const id = first.transactions.at(-1)?.id ?? 0
    const refunded = recordOutcomes(first, new Map([[id, { result: 'done' }]]), 1_300, PAUSE_MS).charge
    const charge = refundOf(refunded, 20)
    const told = (voidedAmount: number) => found('captured', 100, { capturedAmount: 100, voidedAmount })
    expect(outcome(charge, OVER, told(50))).toMatchObject({ last: 'SUCCEEDED', unexplained: [] })
    expect(outcome(charge, OVER, told(30))).toMatchObject({ last: 'FAILED', unexplained: [] })
    expect(outcome(charge, OVER, told(20))).toEqual(UNEXPLAINED)
  })

  test('wait for one another: while one may still arrive, nothing is decided about any', () => {
    const later = { ...TERMS, deadline: OVER + 1_000 }
    const first = refundOf(captured(100), 30)
    const charge = requestRefund(first, { amount: 20, reason: null }, later).charge
    const some = found('captured', 100, { capturedAmount: 100, voidedAmount: 30 })
    expect(outcome(charge, OVER, some)).toEqual(NOTHING)
    expect(outcome(charge, OVER, ABSENT)).toEqual(NOTHING)
  })
})

test('a card verification has no sale that the acquirer could know', () => {
  const charge = expire(authorizedCharge(0, 100), TERMS).charge
  expect(outcome(charge, OVER, ABSENT, found('authorized', 100))).toEqual(NOTHING)
})

test('nothing is decided about a charge without anything pending, whatever the answer', () => {
  expect(outcome(authorizedCharge(100), OVER, found('captured', 100))).toEqual(NOTHING)
  expect(outcome(authorizedCharge(100), OVER, ABSENT)).toEqual(NOTHING)
})
