import { isPaymentIdle, type Charge } from '../charge/charge'
import { madeByAcquirer, succeed } from '../charge/transaction'
import { transition, type Decision } from '../charge/transition'
import type { Returned } from './acquirer-book'

/** What was given back at the acquirer, by the position of its payment. */
export type AllReturned = ReadonlyMap<number, Returned>

/**
 * Adopts money that was given back at the acquirer behind our back: its payments show it, each with a transaction that
 * says so. Holds for the charge as it was when the acquirer was asked. Undefined: nothing to adopt, or an operation of
 * ours is pending, which may be the same money.
 */
export function adoptReturned(
  charge: Charge,
  returned: AllReturned,
  { operationId, at }: { operationId: string; at: number },
): Decision | undefined {
  if (returned.size === 0 || !isPaymentIdle(charge)) return undefined
  const adopted = charge.payments.reduce((adopting, payment) => {
    const found = returned.get(payment.position)
    if (!found) return adopting
    const transaction = madeByAcquirer(adopting, payment, { ...found, operationId, at })
    return succeed({ ...adopting, transactions: [...adopting.transactions, transaction] }, transaction.id)
  }, charge)
  return transition(charge, { payments: adopted.payments, transactions: adopted.transactions }, at)
}
