import { maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { TransactionStatus, type Charge, type ResolveTransactionRequest } from '@cofre/proto/orders/v1/orders'
import { updateCharge } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { fault, throwFaults } from '../charge/order-check'
import { resolve } from '../charge/resolution'

const REASON_MAX = 2_000
const NAME_MAX = 100
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function resolveTransaction(
  { pool, log }: Deps,
  request: ResolveTransactionRequest,
): Promise<Charge> {
  checkRequest(request)
  const { sellerId, chargeId, transactionId, status, acquirerPaymentId } = request
  const happened = status === TransactionStatus.SUCCEEDED
  // An older cofrectl sends no name.
  const by = maskCardNumbersIn(request.resolvedBy.trim()) || 'cofrectl'
  const reason = maskCardNumbersIn(request.reason)
  const { message } = await updateCharge(pool, { sellerId, id: chargeId }, (current) =>
    resolve(current, transactionId, { happened, acquirerPaymentId, by, reason }, Date.now()),
  )
  log.warn({ chargeId, transactionId, status, by, reason }, 'transaction closed by hand')
  return message
}

function checkRequest({ status, reason, acquirerPaymentId, resolvedBy }: ResolveTransactionRequest): void {
  const isKnown = status === TransactionStatus.SUCCEEDED || status === TransactionStatus.FAILED
  const isReason = reason.trim() !== '' && reason.length <= REASON_MAX
  const isId = acquirerPaymentId === '' || GUID.test(acquirerPaymentId)
  throwFaults([
    ...(isKnown ? [] : [fault('#/status', 'ENUM', 'must be SUCCEEDED or FAILED')]),
    ...(isReason ? [] : [fault('#/reason', 'LENGTH', `must have 1 to ${REASON_MAX} characters`)]),
    ...(isId ? [] : [fault('#/acquirerPaymentId', 'FORMAT', 'must be a GUID')]),
    ...(resolvedBy.length <= NAME_MAX
      ? []
      : [fault('#/resolvedBy', 'MAX', `must be at most ${NAME_MAX} characters`)]),
  ])
}
