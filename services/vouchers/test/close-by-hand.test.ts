import type { Payment } from '../src/payment/payment'
import { closeByHand } from '../src/payment/close-by-hand'
import { aPayment, CANCELING, DEADLINE, NOON, paidAt, RELEASING } from './support/a-payment'

const HOUR_MS = 3_600_000
const AFTER = DEADLINE + 1
const found = (happened: boolean) => ({ happened, by: 'ana', reason: 'asked' })
const resolved = (payment: Payment, happened: boolean) => closeByHand(payment, found(happened), AFTER)
const refused = (message: string) =>
  expect.objectContaining({ kind: 'failed_precondition', reason: 'INVALID_VOUCHER_STATE', message })

test('an operation can be closed by hand only when its request can no longer leave', () => {
  expect(() => resolved(paidAt(NOON), true)).toThrow(refused('The payment has no pending operation.'))
  const early = refused('The request to the issuer may still be running.')
  expect(() => closeByHand(aPayment(), found(true), DEADLINE)).toThrow(early)
  expect(closeByHand(aPayment(), found(true), AFTER).payment.status).toBe('PAID')
})

test('a release is repeated until it succeeds, so it can only be closed as done', () => {
  const releasing = aPayment({ operation: RELEASING })
  const repeated = refused('Cofre repeats this operation by itself until it succeeds.')
  expect(() => resolved(releasing, false)).toThrow(repeated)
  expect(resolved(releasing, true).payment.operation).toBeNull()
})

test('a payment that happened was paid when it was sent, and its request is answered', () => {
  const { payment, mark, event } = resolved(aPayment(), true)
  const resolutions = [{ ...found(true), operation: 'PAYMENT', at: AFTER }]
  expect(payment).toMatchObject({ status: 'PAID', operation: null, paidAt: NOON, resolutions })
  expect(mark).toEqual({ operationId: 'operation', end: 'answered' })
  expect(event).toBe('voucher_payment.paid')
})

test('a payment that did not happen is denied, looked at again, and its request may be repeated', () => {
  const { payment, mark } = resolved(aPayment(), false)
  expect(payment).toMatchObject({
    status: 'DENIED',
    operation: null,
    decline: { code: 'NOT_PROCESSED', issuerCode: '' },
    absentSince: AFTER,
    lookAgainAt: AFTER + HOUR_MS,
  })
  expect(mark).toEqual({ operationId: 'operation', end: 'freed' })
})

test.each([
  [true, 'CANCELED'],
  [false, 'PAID'],
])(
  'a cancellation that happened (%p) leaves the payment %s, and its resolution after the earlier one',
  (happened, status) => {
    const before = { ...found(true), operation: 'PAYMENT', at: NOON } as const
    const { payment } = resolved(paidAt(NOON, { operation: CANCELING, resolutions: [before] }), happened)
    const resolutions = [before, { ...found(happened), operation: 'CANCELLATION', at: AFTER }]
    expect(payment).toMatchObject({ status, operation: null, resolutions })
  },
)
