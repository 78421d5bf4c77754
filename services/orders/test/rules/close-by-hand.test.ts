import type { Charge, Transaction } from '../../src/charge/charge'
import { requestCapture } from '../../src/charge/capture'
import { expire } from '../../src/charge/release'
import { closeByHand } from '../../src/charge/close-by-hand'
import { authorizedCharge, pendingCharge, TERMS } from './charges'

const HOUR_MS = 3_600_000
const AFTER = TERMS.deadline + 1
const found = (happened: boolean, acquirerPaymentId = '') => ({
  happened,
  by: 'ana',
  reason: 'asked',
  acquirerPaymentId,
})
const capturing = () => requestCapture(authorizedCharge(100), undefined, TERMS).charge
const changed = (charge: Charge, id: number, change: Partial<Transaction>): Charge => ({
  ...charge,
  transactions: charge.transactions.map((one) => (one.id === id ? { ...one, ...change } : one)),
})
const refused = (message: string) =>
  expect.objectContaining({ kind: 'failed_precondition', reason: 'INVALID_CHARGE_STATE', message })

describe('an operation is not closed by hand', () => {
  test.each<[string, () => Charge, number, boolean, string]>([
    ['is not pending', () => authorizedCharge(100), 1, true, 'The transaction is not pending.'],
    [
      'waits for another payment',
      () => pendingCharge(60, 40),
      2,
      true,
      'The payment has not been sent yet: another payment of the order comes first.',
    ],
    [
      'is repeated by the service',
      () => expire(authorizedCharge(100), TERMS).charge,
      2,
      false,
      'Cofre repeats this operation by itself until it succeeds.',
    ],
  ])('that %s', (_, make, id, happened, message) => {
    expect(() => closeByHand(make(), id, found(happened, 'p-1'), AFTER)).toThrow(refused(message))
  })

  test('until its request can no longer leave; one that does not exist is not found', () => {
    const early = refused('The request to the acquirer may still be running.')
    expect(() => closeByHand(capturing(), 2, found(true), TERMS.deadline)).toThrow(early)
    expect(() => closeByHand(capturing(), 2, found(true), AFTER)).not.toThrow()
    expect(() => closeByHand(capturing(), 3, found(true), AFTER)).toThrow(
      expect.objectContaining({ kind: 'not_found' }),
    )
  })
})

describe('an operation that is closed by hand', () => {
  const resolution = { by: 'ana', reason: 'asked', at: AFTER }

  test('happened: it shows who closed it, and its request is answered', () => {
    const { charge, marks } = closeByHand(capturing(), 2, found(true), AFTER)
    expect(charge).toMatchObject({ status: 'CAPTURED', updatedAt: AFTER })
    expect(charge.transactions[1]).toMatchObject({ status: 'SUCCEEDED', failure: null, resolution })
    expect(charge.transactions[0]).toMatchObject({ resolution: null })
    expect(marks).toEqual({ answered: ['operation'], freed: [] })
  })

  test('did not happen, even if it never left: it failed, and its request may be repeated', () => {
    for (const dispatchDeadline of [TERMS.deadline, null]) {
      const charge = changed(capturing(), 2, { dispatchDeadline, operationId: 'capture' })
      const { charge: closed, marks } = closeByHand(charge, 2, found(false), AFTER)
      expect(closed.status).toBe('AUTHORIZED')
      const failure = { code: 'CLOSED_BY_OPERATOR', acquirerCode: '' }
      expect(closed.transactions[1]).toMatchObject({ status: 'FAILED', failure, resolution })
      expect(marks).toEqual({ answered: [], freed: ['capture'] })
    }
  })

  test('is the service’s own and happened: the money is free', () => {
    const { charge } = closeByHand(expire(authorizedCharge(100), TERMS).charge, 2, found(true), AFTER)
    expect(charge.status).toBe('EXPIRED')
  })
})

describe('an authorization that is closed by hand', () => {
  test('happened under the acquirer’s id, without which it can’t be captured', () => {
    const { charge } = closeByHand(pendingCharge(100), 1, found(true, 'p-1'), AFTER)
    expect(charge).toMatchObject({ status: 'AUTHORIZED', payments: [{ reference: { paymentId: 'p-1' } }] })
    const errors = [expect.objectContaining({ pointer: '#/acquirerPaymentId', code: 'REQUIRED' })]
    expect(() => closeByHand(pendingCharge(100), 1, found(true), AFTER)).toThrow(
      expect.objectContaining({ kind: 'invalid_argument', extra: expect.objectContaining({ errors }) }),
    )
  })

  test('of a direct charge was captured with it', () => {
    const { charge } = closeByHand({ ...pendingCharge(100), direct: true }, 1, found(true, 'p-1'), AFTER)
    expect(charge).toMatchObject({ status: 'CAPTURED', capturedAmount: 100 })
  })

  test('that only verified a card needs no id', () => {
    expect(closeByHand(pendingCharge(0), 1, found(true), AFTER).charge.status).toBe('AUTHORIZED')
  })

  test('did not happen: the charge failed, and is looked at again', () => {
    const { charge } = closeByHand(pendingCharge(100), 1, found(false), AFTER)
    expect(charge).toMatchObject({ status: 'FAILED', lookAgainAt: AFTER + HOUR_MS })
    expect(charge.transactions[0]?.failure?.code).toBe('CLOSED_BY_OPERATOR')
  })
})
