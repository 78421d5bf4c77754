import { maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { TransactionStatus, type Charge, type ResolveTransactionRequest } from '@cofre/proto/orders/v1/orders'
import { updateCharge } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { fault, throwFaults } from '../charge/order-check'
import { resolve } from '../charge/resolution'

const REASON_MAX = 2_000

export async function resolveTransaction(
  { pool, log }: Deps,
  { sellerId, chargeId, transactionId, status, reason }: ResolveTransactionRequest,
): Promise<Charge> {
  const isKnown = status === TransactionStatus.SUCCEEDED || status === TransactionStatus.FAILED
  const isReason = reason.trim() !== '' && reason.length <= REASON_MAX
  throwFaults([
    ...(isKnown ? [] : [fault('#/status', 'ENUM', 'must be SUCCEEDED or FAILED')]),
    ...(isReason ? [] : [fault('#/reason', 'LENGTH', `must have 1 to ${REASON_MAX} characters`)]),
  ])
  const { message } = await updateCharge(pool, { sellerId, id: chargeId }, (current) =>
    resolve(current, transactionId, status === TransactionStatus.SUCCEEDED, Date.now()),
  )
  log.warn(
    { chargeId, transactionId, status, reason: maskCardNumbersIn(reason) },
    'transaction closed by hand',
  )
  return message
}
