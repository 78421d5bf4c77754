import type { Account, Found } from '../acquirer/acquirer'
import type { Charge, Payment } from '../charge/charge'
import type { Deps } from '../deps'

/** Asks the acquirer about one payment of a charge. */
export function findPayment(deps: Deps, account: Account, payment: Payment, charge: Charge): Promise<Found> {
  // A card verification leaves no payment at the acquirer to find.
  if (payment.amount === 0) return Promise.resolve({ result: 'absent' })
  const { paymentId } = payment.reference
  const requestId = charge.transactions.at(-1)?.operationId ?? ''
  const deadline = Date.now() + deps.rules.acquirerTimeoutMs
  const dispatch = { account, deadline, requestId }
  return deps.acquirer.find({ paymentId, orderNumber: payment.orderNumber }, dispatch)
}
