import { requestCancellation } from '../src/payment/cancellation'
import { recordCancellation, recordPayment } from '../src/payment/payment-outcome'
import { invalidState, type Payment, type PaymentStatus } from '../src/payment/payment'
import { transition } from '../src/payment/transition'
import { aPayment, CANCELING, deniedByAbsence, NOON, paidAt, RELEASING } from './support/a-payment'

const AT = NOON + 500
const STATUSES = ['PENDING', 'PAID', 'DENIED', 'CANCELED'] as const
const ALLOWED = ['PENDING PAID', 'PENDING DENIED', 'PAID CANCELED']
const MOVES = STATUSES.flatMap((from) =>
  STATUSES.filter((to) => to !== from).map((to) => [from, to] as const),
)

const move = (from: PaymentStatus, to: PaymentStatus) =>
  transition(aPayment({ status: from, operation: null }), { status: to, operation: null }, AT)
const allowed = MOVES.filter((way) => ALLOWED.includes(way.join(' ')))
const forbidden = MOVES.filter((way) => !ALLOWED.includes(way.join(' ')))

test.each(allowed)('a payment goes from %s to %s, and sends its event', (from, to) => {
  const { payment, event } = move(from, to)
  expect(payment).toMatchObject({ status: to, version: 2, sequence: 1, askAt: null, updatedAt: AT })
  expect(event).toBe(`voucher_payment.${to.toLowerCase()}`)
})

test.each(forbidden)('a payment never goes from %s to %s', (from, to) => {
  expect(() => move(from, to)).toThrow(`can't go from ${from} to ${to}`)
})

test('a change without a move sends no event and raises the version', () => {
  const { payment, event } = transition(paidAt(NOON), { lookAgainAt: AT }, AT)
  expect(event).toBeUndefined()
  expect(payment).toMatchObject({ status: 'PAID', version: 2, sequence: 1, paidAt: NOON })
})

test('a payment with an operation is asked about, one without is not', () => {
  const { payment } = transition(paidAt(NOON), { operation: CANCELING }, AT)
  expect(payment.askAt).toBe(AT)
  expect(transition(payment, { operation: null }, AT).payment.askAt).toBeNull()
})

describe('the outcome of the call that pays', () => {
  const approved = {
    result: 'approved',
    amount: 3_500,
    issuerPaymentId: 'p-1',
    authorizationCode: '418802',
  } as const
  const declined = {
    result: 'declined',
    code: 'EXPIRED_CARD',
    issuerCode: '54',
    issuerPaymentId: 'p-1',
  } as const
  const record = (outcome: Parameters<typeof recordPayment>[2]) =>
    recordPayment(aPayment(), 'operation', outcome, AT)

  test('an approval of another amount leaves the payment pending', () => {
    expect(record({ ...approved, amount: 3_501 })).toMatchObject({
      payment: { status: 'PENDING', operation: { id: 'operation' } },
      event: undefined,
    })
  })

  test('is recorded when approved, declined, refused, not sent or unknown', () => {
    expect(record(approved)).toMatchObject({
      payment: { status: 'PAID', paidAt: NOON },
      mark: { end: 'answered' },
    })
    expect(record(declined)).toMatchObject({
      payment: { status: 'DENIED', deniedAt: AT, issuerPaymentId: 'p-1', decline: { issuerCode: '54' } },
      mark: { end: 'answered' },
    })
    expect(record({ result: 'refused', issuerCode: 'INVALID_REQUEST' })).toMatchObject({
      payment: {
        status: 'DENIED',
        deniedAt: null,
        decline: { code: 'NOT_PROCESSED', issuerCode: 'INVALID_REQUEST' },
      },
      mark: { end: 'answered' },
    })
    expect(record({ result: 'not_sent' })).toMatchObject({
      payment: { status: 'DENIED', deniedAt: null, absentSince: null, decline: { issuerCode: '' } },
      mark: { end: 'freed' },
    })
    expect(record({ result: 'unknown' })).toMatchObject({
      payment: { status: 'PENDING', operation: { id: 'operation' } },
      event: undefined,
      mark: { end: 'answered' },
    })
  })

  test.each([paidAt(NOON), deniedByAbsence(), paidAt(NOON, { operation: { ...CANCELING, id: 'other' } })])(
    'changes nothing on a payment whose operation is over, %#',
    (payment) => {
      for (const outcome of [approved, declined, { result: 'not_sent' }, { result: 'unknown' }] as const) {
        expect(recordPayment(payment, 'operation', outcome, AT)).toEqual({
          before: payment,
          payment: { ...payment, version: payment.version + 1 },
          event: undefined,
          mark: { operationId: 'operation', end: 'answered' },
        })
      }
    },
  )
})

describe('the outcome of the call that cancels', () => {
  const canceling = paidAt(NOON, { operation: CANCELING, askAt: AT })

  test.each([
    ['done', 'CANCELED', null, 'answered'],
    ['refused', 'PAID', null, 'freed'],
    ['not_sent', 'PAID', null, 'freed'],
    ['unknown', 'PAID', CANCELING, 'answered'],
  ] as const)('%s: the payment is %s', (result, status, operation, end) => {
    const { payment, mark } = recordCancellation(canceling, 'operation', { result }, AT)
    expect([payment.status, payment.operation, mark?.end]).toEqual([status, operation, end])
  })

  test.each([paidAt(NOON), paidAt(NOON, { operation: { ...CANCELING, id: 'other' } })])(
    'changes nothing on a payment whose operation is over, %#',
    (payment) => {
      for (const result of ['done', 'refused', 'not_sent', 'unknown'] as const) {
        expect(recordCancellation(payment, 'operation', { result }, AT)).toEqual({
          before: payment,
          payment: { ...payment, version: payment.version + 1 },
          event: undefined,
          mark: { operationId: 'operation', end: 'answered' },
        })
      }
    },
  )

  test.each(['refused', 'not_sent', 'unknown'] as const)(
    'of a release, %s: the release stays pending',
    (result) => {
      const releasing = deniedByAbsence({ operation: RELEASING, askAt: AT })
      expect(recordCancellation(releasing, 'operation', { result }, AT)).toMatchObject({
        payment: { status: 'DENIED', operation: RELEASING },
        mark: undefined,
      })
      const { payment } = recordCancellation(releasing, 'operation', { result: 'done' }, AT)
      expect([payment.status, payment.operation]).toEqual(['DENIED', null])
    },
  )
})

describe('a cancellation', () => {
  const termsAt = (at: number) => ({ operationId: 'c', at, deadline: at + 8_000, firstAskAt: at + 2_000 })
  // Midnight in São Paulo, which has no summer time.
  const MIDNIGHT = Date.parse('2026-03-11T03:00:00Z')

  test('can be requested until the last millisecond of the day in São Paulo', () => {
    const { payment } = requestCancellation(paidAt(NOON), termsAt(MIDNIGHT - 1))
    expect(payment).toMatchObject({
      status: 'PAID',
      operation: {
        type: 'CANCELLATION',
        id: 'c',
        dispatchDeadline: MIDNIGHT - 1 + 8_000,
        since: MIDNIGHT - 1,
      },
      askAt: MIDNIGHT - 1 + 2_000,
    })
    const yesterday = Date.parse('2026-03-10T03:00:00Z')
    expect(requestCancellation(paidAt(yesterday), termsAt(MIDNIGHT - 1)).payment.operation).not.toBeNull()
  })

  test.each([
    ['a millisecond later', paidAt(MIDNIGHT - 1), MIDNIGHT],
    ['a day later at the same time', paidAt(NOON), NOON + 86_400_000],
    ['a year later on the same day', paidAt(NOON), Date.parse('2027-03-10T15:00:00Z')],
  ])('is refused %s', (_name, payment, at) => {
    expect(() => requestCancellation(payment, termsAt(at))).toThrow('only be canceled on the day')
  })

  test('is refused while another runs, and for a payment that is not paid', () => {
    const running = paidAt(NOON, { operation: CANCELING })
    const refused = (payment: Payment, message: string) =>
      expect(() => requestCancellation(payment, termsAt(AT))).toThrow(
        expect.objectContaining({
          kind: 'failed_precondition',
          reason: 'INVALID_VOUCHER_STATE',
          message: expect.stringContaining(message),
          extra: { members: { currentStatus: payment.status, allowedActions: [] } },
        }),
      )
    refused(running, 'being canceled already')
    refused(aPayment(), 'Only a paid voucher payment')
  })

  test('is listed as allowed when another request about a payment of the day is refused', () => {
    const actions = (payment: Payment) => invalidState(payment, 'No.', AT).extra
    expect(actions(paidAt(NOON))).toEqual({ members: { currentStatus: 'PAID', allowedActions: ['cancel'] } })
    const yesterday = paidAt(NOON - 86_400_000)
    expect(actions(yesterday)).toEqual({ members: { currentStatus: 'PAID', allowedActions: [] } })
  })
})

test('a release that the issuer refuses stays pending, and is tried again a day later; any other at once', () => {
  const releasing = deniedByAbsence({ operation: RELEASING, askAt: AT })
  const after = (result: 'refused' | 'unknown') =>
    recordCancellation(releasing, RELEASING.id, { result }, AT).payment
  expect(after('refused')).toMatchObject({ status: 'DENIED', operation: RELEASING, askAt: AT + 86_400_000 })
  expect(after('unknown').askAt).toBe(AT)
})
