import type { Charge } from '../../src/charge/charge'
import { changeOf, succeed } from '../../src/charge/transaction'
import { requestCapture } from '../../src/charge/capture'
import { transition } from '../../src/charge/transition'
import { adoptReturned } from '../../src/reconciliation/adopt'
import { authorizedCharge, pendingCharge, TERMS } from './charges'

const AT = 9_000
const adopt = (charge: Charge, amount: number) =>
  adoptReturned(charge, new Map([[0, { type: 'REFUND', amount }]]), { operationId: 'found', at: AT })

function captured(amount: number): Charge {
  const { charge } = requestCapture(authorizedCharge(amount), amount, TERMS)
  const last = charge.transactions.at(-1)
  return transition(charge, changeOf(succeed(charge, last?.id ?? 0)), AT).charge
}

test('what was given back is a transaction that never left us, and shows on the payment', () => {
  const before = captured(1_000)
  const decision = adopt(before, 300)
  expect(decision).toMatchObject({
    charge: { status: 'PARTIALLY_REFUNDED', refundedAmount: 300, refundReserved: 300, askAt: null },
    events: ['charge.refunded'],
  })
  expect(decision?.charge.transactions.at(-1)).toEqual({
    id: before.transactions.length + 1,
    position: 0,
    type: 'REFUND',
    status: 'SUCCEEDED',
    cause: 'ACQUIRER',
    amount: 300,
    operationId: 'found',
    dispatchDeadline: null,
    reason: null,
    attempt: null,
    endToEndId: null,
    resolution: null,
    failure: null,
    createdAt: AT,
  })
})

test('nothing is adopted without a finding, nor while an operation is pending', () => {
  expect(adoptReturned(captured(1_000), new Map(), { operationId: 'found', at: AT })).toBeUndefined()
  expect(adopt(pendingCharge(1_000), 300)).toBeUndefined()
})
