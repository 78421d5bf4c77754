import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Account, Found } from '../acquirer/acquirer'
import type { Charge, Payment } from '../charge/charge'
import type { Deps } from '../deps'

/** Asks the acquirer about one payment of a charge. */
export function findPayment(deps: Deps, account: Account, payment: Payment, charge: Charge): Promise<Found> {
  // A card verification leaves no payment at the acquirer to find.
  if (payment.amount === 0) return Promise.resolve({ result: 'absent' })
  const { paymentId } = payment.reference
  const requestId = charge.transactions.at(-1)?.operationId ?? ''
  if (charge.acquirer === 'pix') throw new Error('no acquirer has a Pix charge')
  const acquirer = deps.acquirers[charge.acquirer]
  const deadline = databaseNow() + acquirer.capabilities.timeoutMs
  const dispatch = { account, deadline, requestId }
  return acquirer.find({ paymentId, orderNumber: payment.orderNumber }, dispatch)
}
