import { requestCapture } from '../../src/charge/capture'
import {
  allowedActions,
  capturableOf,
  pendingOf,
  refundableOf,
  requireAction,
  type Charge,
} from '../../src/charge/charge'
import { recordOutcomes } from '../../src/charge/operation-outcome'
import { requestRefund } from '../../src/charge/refund'
import { recordAuthorization } from '../../src/charge/authorization'
import { PAUSE_MS, authorizedCharge, pendingCharge, REFERENCE } from './charges'

const ASKED = { operationId: 'asked', at: 1_100, deadline: 2_100, firstAskAt: 1_600 }
const capture = (charge: Charge, amount?: number) => requestCapture(charge, amount, ASKED).charge
const refund = (charge: Charge, amount?: number, reason: string | null = null) =>
  requestRefund(charge, { amount, reason }, ASKED).charge
/** Records that all pending operations happened. */
const done = (charge: Charge) => {
  const pending = charge.transactions.filter(({ status }) => status === 'PENDING')
  return recordOutcomes(charge, new Map(pending.map(({ id }) => [id, { result: 'done' }])), 1_200, PAUSE_MS)
    .charge
}
/** The first payment of a charge is approved, and its second may leave. */
const approvedFirst = (charge: Charge) =>
  recordAuthorization(charge, 0, { result: 'approved', captured: true, reference: REFERENCE }, ASKED, ASKED)
    .charge
const captured = (amounts: number[], amount?: number) => done(capture(authorizedCharge(...amounts), amount))
/** The last requested operations, by payment. */
const asked = (charge: Charge) =>
  charge.transactions
    .filter(({ status }) => status === 'PENDING')
    .map(({ type, position, amount }) => `${type} ${position} ${amount}`)
/** Two payments: the first is voided, the second still held. */
const halfVoided = () =>
  recordOutcomes(
    refund(authorizedCharge(60, 40)),
    new Map([
      [3, { result: 'done' }],
      [4, { result: 'refused', code: '1' }],
    ]),
    1_200,
    PAUSE_MS,
  ).charge
const refused = (reason: string, message: string, extra: object) =>
  expect.objectContaining({ kind: 'failed_precondition', reason, message, extra })

test('a capture and a void leave out a payment that is voided', () => {
  expect(halfVoided().status).toBe('AUTHORIZED')
  expect(asked(capture(halfVoided()))).toEqual(['CAPTURE 1 40'])
  expect(asked(refund(halfVoided()))).toEqual(['VOID 1 40'])
})

describe('a capture', () => {
  test('without an amount takes all of each payment', () => {
    const charge = capture(authorizedCharge(60, 40))
    expect(asked(charge)).toEqual(['CAPTURE 0 60', 'CAPTURE 1 40'])
    expect(charge.transactions[2]).toEqual({
      id: 3,
      position: 0,
      type: 'CAPTURE',
      status: 'PENDING',
      cause: 'REQUEST',
      amount: 60,
      operationId: 'asked',
      dispatchDeadline: 2_100,
      reason: null,
      attempt: null,
      endToEndId: null,
      resolution: null,
      failure: null,
      createdAt: 1_100,
    })
    expect(charge.transactions[3]?.id).toBe(4)
    expect(charge).toMatchObject({ status: 'AUTHORIZED', askAt: 1_600, updatedAt: 1_100 })
  })

  test.each([
    [1, ['CAPTURE 0 1']],
    [60, ['CAPTURE 0 60']],
    [61, ['CAPTURE 0 60', 'CAPTURE 1 1']],
    [100, ['CAPTURE 0 60', 'CAPTURE 1 40']],
  ])('of %i fills the payments in their order', (amount, due) => {
    expect(asked(capture(authorizedCharge(60, 40), amount))).toEqual(due)
  })

  test('of more than is held is refused, and the refusal states the held amount', () => {
    expect(() => capture(authorizedCharge(60, 40), 101)).toThrow(
      refused('CAPTURE_EXCEEDS_AUTHORIZED', '101 requested, 100 still capturable.', {
        errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 100' }],
      }),
    )
  })

  test('of less than a cent for each installment is refused, and the refusal states what can be captured', () => {
    const whole = authorizedCharge(60, 40)
    const payments = whole.payments.map((payment) => ({ ...payment, installments: 6 }))
    const charge = { ...whole, payments }
    const refusal = (detail: string) =>
      refused(
        'CAPTURE_BELOW_INSTALLMENTS',
        'The payment has 6 installments: it can be captured for at least 6 cents.',
        {
          errors: [{ pointer: '#/amount', code: 'MIN', detail }],
        },
      )
    expect(() => capture(charge, 5)).toThrow(refusal('must be at least 6'))
    expect(() => capture(charge, 65)).toThrow(refusal('must be 60, or at least 66'))
    expect(asked(capture(charge, 66))).toEqual(['CAPTURE 0 60', 'CAPTURE 1 6'])
  })

  test('releases a payment without a share', () => {
    const charge = done(capture(authorizedCharge(60, 40), 60))
    expect(charge).toMatchObject({ status: 'PARTIALLY_CAPTURED', capturedAmount: 60, askAt: 1_200 })
    expect(charge.transactions.at(-1)).toMatchObject({
      id: 4,
      type: 'VOID',
      cause: 'RELEASE',
      operationId: 'asked',
      position: 1,
      amount: 40,
      dispatchDeadline: null,
      createdAt: 1_200,
    })
    expect(done(charge)).toMatchObject({ status: 'PARTIALLY_CAPTURED', askAt: null })
  })
})

describe('a refund', () => {
  test('before the capture voids all, with its reason', () => {
    const charge = refund(authorizedCharge(60, 40), undefined, 'returned')
    expect(asked(charge)).toEqual(['VOID 0 60', 'VOID 1 40'])
    expect(charge.transactions.slice(2).map(({ reason, cause }) => [reason, cause])).toEqual([
      ['returned', 'REQUEST'],
      ['returned', 'REQUEST'],
    ])
    expect(charge.askAt).toBe(1_600)
    expect(asked(refund(authorizedCharge(60, 40), 100))).toEqual(['VOID 0 60', 'VOID 1 40'])
    expect(done(charge).status).toBe('VOIDED')
  })

  test('of a part before the capture is refused, and so is more than is held', () => {
    expect(() => refund(authorizedCharge(60, 40), 99)).toThrow(
      refused('PARTIAL_VOID_UNSUPPORTED', 'Before capture, you can only void the whole amount: 100.', {
        errors: [{ pointer: '#/amount', code: 'MIN', detail: 'must be 100' }],
      }),
    )
    expect(() => refund(authorizedCharge(60, 40), 101)).toThrow(
      refused('REFUND_EXCEEDS_CAPTURED', '101 cents were requested; 100 can still be refunded.', {
        errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 100' }],
      }),
    )
  })

  test.each([
    [undefined, ['REFUND 0 60', 'REFUND 1 40']],
    [1, ['REFUND 0 1']],
    [60, ['REFUND 0 60']],
    [61, ['REFUND 0 60', 'REFUND 1 1']],
    [100, ['REFUND 0 60', 'REFUND 1 40']],
  ])('of %p after the capture takes the payments in their order', (amount, due) => {
    expect(asked(refund(captured([60, 40]), amount))).toEqual(due)
  })

  test('takes the amounts that earlier refunds left, pending ones included', () => {
    const some = refund(captured([60, 40]), 70)
    expect(some.refundReserved).toBe(70)
    expect(some.payments.map((payment) => refundableOf(some, payment))).toEqual([0, 30])
    expect(asked(refund(some)).slice(2)).toEqual(['REFUND 1 30'])
    const known = done(some)
    expect(known).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedAmount: 70, refundReserved: 70 })
    expect(known.payments.map((payment) => refundableOf(known, payment))).toEqual([0, 30])
    expect(done(refund(known))).toMatchObject({ status: 'REFUNDED', refundedAmount: 100 })
  })

  test('of more than is left is refused, and so is any when nothing is left', () => {
    const tooMuch = (wanted: number, most: number) =>
      refused('REFUND_EXCEEDS_CAPTURED', `${wanted} cents were requested; ${most} can still be refunded.`, {
        errors: [{ pointer: '#/amount', code: 'MAX', detail: `must be at most ${most}` }],
      })
    expect(() => refund(captured([60, 40]), 101)).toThrow(tooMuch(101, 100))
    const all = refund(captured([60, 40]))
    expect(() => refund(all)).toThrow(tooMuch(0, 0))
    expect(() => refund(all, 1)).toThrow(tooMuch(1, 0))
  })

  test('of a part is refused for a charge without room for more operations, and the whole rest is not', () => {
    const charge = captured([100])
    const full = { ...charge, transactions: many(charge, 200) }
    expect(() => refund(full, 99)).toThrow(
      refused(
        'INVALID_CHARGE_STATE',
        'After this many operations, you can only refund the whole rest: 100.',
        {
          members: { currentStatus: 'CAPTURED', allowedActions: ['refund', 'metadata'] },
          errors: [{ pointer: '#/amount', code: 'MIN', detail: 'must be 100' }],
        },
      ),
    )
    expect(asked(refund(full, 100))).toEqual(['REFUND 0 100'])
    expect(asked(refund(full))).toEqual(['REFUND 0 100'])
  })
})

/** The transactions of a charge, filled up to a count with failed refunds that had left. */
function many(charge: Charge, count: number) {
  const [last] = charge.transactions.slice(-1)
  const failed = Array.from({ length: count - charge.transactions.length }, (_none, nth) => ({
    ...last!,
    id: charge.transactions.length + nth + 1,
    type: 'REFUND' as const,
    status: 'FAILED' as const,
    amount: 1,
    operationId: `failed ${nth}`,
  }))
  return [...charge.transactions, ...failed]
}

describe('the actions of a seller', () => {
  const nothing = ['metadata']
  const both = ['capture', 'refund', 'metadata']
  const refunding = ['refund', 'metadata']

  test.each<[string, () => Charge, string[]]>([
    ['is being authorized', () => pendingCharge(100), nothing],
    ['is being authorized, one payment after the other', () => approvedFirst(pendingCharge(60, 40)), nothing],
    ['is authorized', () => authorizedCharge(100), both],
    ['only verified a card', () => authorizedCharge(0), nothing],
    ['verified a card at once', () => approvedFirst({ ...pendingCharge(0), direct: true }), nothing],
    ['is being captured', () => capture(authorizedCharge(100)), nothing],
    ['is being voided', () => refund(authorizedCharge(100)), nothing],
    ['is voided', () => done(refund(authorizedCharge(100))), nothing],
    ['is captured', () => captured([100]), refunding],
    ['is captured in part', () => captured([100], 40), refunding],
    ['is being refunded', () => refund(captured([100]), 40), refunding],
    ['is refunded in part', () => done(refund(captured([100]), 40)), refunding],
    ['is refunded', () => done(refund(captured([100]))), nothing],
  ])('on a charge that %s', (_, make, actions) => {
    const charge = make()
    expect(allowedActions(charge)).toEqual(actions)
    for (const action of ['capture', 'refund', 'metadata'] as const) {
      const require = () => requireAction(charge, action)
      if (actions.includes(action)) expect(require).not.toThrow()
      else expect(require).toThrow(expect.objectContaining({ reason: 'INVALID_CHARGE_STATE' }))
    }
  })

  test('on a charge of many operations: first no capture, then no refund either', () => {
    const charge = authorizedCharge(100)
    const of = (count: number) => allowedActions({ ...charge, transactions: many(charge, count) })
    expect(of(199)).toEqual(both)
    expect(of(200)).toEqual(refunding)
    expect(of(299)).toEqual(refunding)
    expect(of(300)).toEqual(nothing)
    const taken = captured([100])
    expect(allowedActions({ ...taken, transactions: many(taken, 300) })).toEqual(nothing)
  })

  test.each<[string, () => Charge, string]>([
    ['the authorization', () => pendingCharge(100), 'The authorization of 100 cents'],
    ['a capture', () => capture(authorizedCharge(100), 70), 'A capture of 70 cents'],
    ['a void', () => refund(authorizedCharge(100)), 'A void of 100 cents'],
  ])('are refused while %s is pending, with the time to read the charge again', (_, make, what) => {
    const charge = make()
    expect(() => requireAction(charge, 'capture')).toThrow(
      refused('INVALID_CHARGE_STATE', `${what} is still pending. Read the charge again after Retry-After.`, {
        members: { currentStatus: charge.status, allowedActions: nothing },
        retryAfterSeconds: 2,
      }),
    )
  })

  test('are refused with the state, when only the service itself has something pending', () => {
    const charge = captured([60, 40], 60)
    expect(pendingOf(charge, 'VOID')).toHaveLength(1)
    expect(() => requireAction(charge, 'capture')).toThrow(
      refused('INVALID_CHARGE_STATE', 'The charge is PARTIALLY_CAPTURED.', {
        members: { currentStatus: 'PARTIALLY_CAPTURED', allowedActions: refunding },
      }),
    )
  })

  test('pending operations are listed by type, and held money by payment', () => {
    const charge = capture(authorizedCharge(60, 40), 60)
    expect(pendingOf(charge, 'CAPTURE', 'VOID').map(({ id }) => id)).toEqual([3])
    expect(pendingOf(charge, 'VOID', 'AUTHORIZATION')).toEqual([])
    expect(capturableOf(charge)).toBe(100)
    expect(capturableOf(done(charge))).toBe(40)
  })
})
