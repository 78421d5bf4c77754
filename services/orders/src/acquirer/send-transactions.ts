import { databaseNow } from '@cofre/platform/service/database-clock'
import { currentCall } from '@cofre/platform/grpc/call-context'
import type { Account, OperationOutcome } from './acquirer'
import type { Charge, Transaction } from '../charge/charge'
import { holderOf, type Deps } from '../deps'
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
  deps: Deps,
  account: Account,
  charge: Charge,
  { id, type, amount, position, operationId, dispatchDeadline, endToEndId }: Transaction,
): Promise<OperationOutcome> {
  const paymentId = endToEndId ?? charge.payments[position]?.reference.paymentId ?? ''
  const deadline = Math.min(dispatchDeadline ?? 0, currentCall()?.deadline ?? Infinity)
  // Past the deadline the sweeper may have concluded that nothing was sent: from then on nothing may leave.
  if (databaseNow() >= deadline) return { result: 'not_sent' }
  const holder = holderOf(deps, charge.acquirer)
  const call = type === 'CAPTURE' ? holder.capture : holder.void
  if (!call) throw new Error('a Pix charge is captured with its payment')
  const outcome = await call(paymentId, amount, { account, deadline, requestId: operationId })
  const { result } = outcome
  const code = result === 'refused' ? outcome.code : undefined
  deps.log.info({ chargeId: charge.id, transactionId: id, type, result, code }, 'acquirer answered')
  return outcome
}
