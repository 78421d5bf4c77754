import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Account, OperationOutcome } from './acquirer'
import type { Charge, Transaction } from '../charge/charge'
import type { Deps } from '../deps'
import type { Outcomes } from '../charge/operation-outcome'

/** Sends captures, refunds and voids to the acquirer, all at once, because each concerns another payment. */
export async function sendTransactions(
  deps: Deps,
  account: Account,
  charge: Charge,
  transactions: readonly Transaction[],
): Promise<Outcomes> {
  const entries = await Promise.all(
    transactions.map(async (one) => [one.id, await send(deps, account, charge, one)] as const),
  )
  return new Map(entries)
}

async function send(
  { acquirer, log }: Deps,
  account: Account,
  charge: Charge,
  { id, type, amount, position, operationId, dispatchDeadline }: Transaction,
): Promise<OperationOutcome> {
  const { paymentId } = charge.payments[position]?.reference ?? { paymentId: '' }
  const deadline = Math.min(dispatchDeadline ?? 0, currentCall()?.deadline ?? Infinity)
  // Past the deadline the sweeper may have concluded that nothing was sent: from then on nothing may leave.
  if (Date.now() >= deadline) return { result: 'not_sent' }
  const call = type === 'CAPTURE' ? acquirer.capture : acquirer.void
  const outcome = await call(paymentId, amount, { account, deadline, requestId: operationId })
  const { result } = outcome
  const code = result === 'refused' ? outcome.code : undefined
  log.info({ chargeId: charge.id, transactionId: id, type, result, code }, 'acquirer answered')
  return outcome
}
