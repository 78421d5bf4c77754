import { allowedActions, isDisputedWhole, type Charge } from '../../src/charge/charge'
import { requestCapture } from '../../src/charge/capture'
import { requestRefund } from '../../src/charge/refund'
import { changeOf, succeed } from '../../src/charge/transaction'
import { transition } from '../../src/charge/transition'
import { compareWithAcquirer } from '../../src/reconciliation/acquirer-book'
import { authorizedCharge, found, TERMS } from './charges'

const AT = 9_000

/** A captured charge whose payments have these disputed amounts. */
function captured(amounts: number[], disputed: number[] = []): Charge {
  const total = amounts.reduce((sum, each) => sum + each, 0)
  const { charge } = requestCapture(authorizedCharge(...amounts), total, TERMS)
  const ids = charge.transactions.filter(({ type }) => type === 'CAPTURE').map(({ id }) => id)
  const done = ids.reduce((taken, id) => ({ ...taken, ...changeOf(succeed(taken, id)) }), charge)
  const { charge: after } = transition(charge, changeOf(done), AT)
  const payments = after.payments.map((payment) => ({
    ...payment,
    disputedAmount: disputed[payment.position] ?? 0,
  }))
  return { ...after, payments }
}

const refundOf = (charge: Charge, amount?: number) => () =>
  requestRefund(charge, { amount, reason: null }, TERMS)
const sentBy = (charge: Charge, amount?: number) =>
  refundOf(charge, amount)()
    .charge.transactions.filter(({ type }) => type === 'REFUND')
    .map(({ position, amount: part }) => [position, part])

test('what is not disputed is refunded, to the cent', () => {
  const charge = captured([1_000], [600])
  expect(sentBy(charge, 400)).toEqual([[0, 400]])
  expect(sentBy(charge)).toEqual([[0, 400]])
  expect(refundOf(charge, 401)).toThrow(
    expect.objectContaining({
      kind: 'failed_precondition',
      reason: 'CHARGE_DISPUTED',
      message: expect.stringContaining('400 cents can still be refunded'),
      extra: {
        members: { currentStatus: 'CAPTURED', allowedActions: ['refund', 'metadata'] },
        errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 400' }],
      },
    }),
  )
  expect(refundOf(charge, 1_000)).toThrow(expect.objectContaining({ reason: 'CHARGE_DISPUTED' }))
  expect(refundOf(charge, 1_001)).toThrow(expect.objectContaining({ reason: 'REFUND_EXCEEDS_CAPTURED' }))
})

test('a dispute holds back its own card alone', () => {
  const charge = captured([500, 500], [500, 0])
  expect(sentBy(charge)).toEqual([[1, 500]])
  expect(isDisputedWhole(charge)).toBe(false)
  expect(refundOf(charge, 501)).toThrow(expect.objectContaining({ reason: 'CHARGE_DISPUTED' }))
})

test.each([
  ['all of it', [1_000]],
  ['more than is left', [1_500]],
])('nothing is left to refund when a dispute took %s', (_, disputed) => {
  const charge = captured([1_000], disputed)
  expect(isDisputedWhole(charge)).toBe(true)
  expect(allowedActions(charge)).toEqual(['metadata'])
  for (const amount of [undefined, 1, 1_000])
    expect(refundOf(charge, amount)).toThrow(
      expect.objectContaining({ reason: 'CHARGE_DISPUTED', message: expect.stringContaining(' 0 cents') }),
    )
})

test('beside a card that was given back whole, a disputed one leaves nothing', () => {
  const charge = captured([500, 500], [0, 500])
  const payments = charge.payments.map((payment, index) =>
    index === 0 ? { ...payment, refundedAmount: 500 } : payment,
  )
  expect(isDisputedWhole({ ...charge, payments })).toBe(true)
})

test('a charge that holds nothing more is not disputed whole, nor is one that took nothing', () => {
  expect(isDisputedWhole(captured([1_000]))).toBe(false)
  expect(isDisputedWhole(authorizedCharge(1_000))).toBe(false)
  expect(allowedActions(captured([1_000]))).toEqual(['refund', 'metadata'])
})

describe('compared with the acquirer', () => {
  const compare = (disputed: number, voidedAmount: number) => {
    const [payment] = captured([1_000], [disputed]).payments
    return payment && compareWithAcquirer(payment, found('captured', 1_000, { voidedAmount }))
  }

  test.each([
    [600, 600, [], undefined],
    [600, 0, [], undefined],
    [600, 1, [], undefined],
    [600, 601, ['refunded'], { type: 'REFUND', amount: 1 }],
    [0, 600, ['refunded'], { type: 'REFUND', amount: 600 }],
  ])(
    'of %i cents disputed, %i given back there are as it says',
    (disputed, voided, differences, returned) => {
      expect(compare(disputed, voided)).toMatchObject({ differences })
      expect(compare(disputed, voided)?.returned).toEqual(returned)
    },
  )
})
