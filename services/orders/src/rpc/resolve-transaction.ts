import { databaseNow } from '@cofre/platform/service/database-clock'
import { maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { TransactionStatus, type Charge, type ResolveTransactionRequest } from '@cofre/proto/orders/v1/orders'
import type { Holder } from '../acquirer/acquirer'
import { updateCharge } from '../charge-store/charge-store'
import { holderOf, type Deps } from '../deps'
import { fault, throwFaults } from '../charge/order-check'
import { closeByHand } from '../charge/close-by-hand'

const REASON_MAX = 2_000
const NAME_MAX = 100

export async function resolveTransaction(deps: Deps, request: ResolveTransactionRequest): Promise<Charge> {
  checkRequest(request)
  const { sellerId, chargeId, transactionId, status, acquirerPaymentId } = request
  const happened = status === TransactionStatus.SUCCEEDED
  const by = maskCardNumbersIn(request.resolvedBy.trim())
  const reason = maskCardNumbersIn(request.reason)
  const { message } = await updateCharge(deps.pool, { sellerId, id: chargeId }, (current) => {
    checkPaymentId(holderOf(deps, current.acquirer), acquirerPaymentId)
    return closeByHand(current, transactionId, { happened, acquirerPaymentId, by, reason }, databaseNow())
  })
  deps.log.warn({ chargeId, transactionId, status, by, reason }, 'transaction closed by hand')
  return message
}

function checkPaymentId({ capabilities }: Holder, paymentId: string): void {
  const { pattern, fault: detail } = capabilities.paymentId
  if (paymentId !== '' && !pattern.test(paymentId)) {
    throwFaults([fault('#/acquirerPaymentId', 'FORMAT', detail)])
  }
}

function checkRequest({ status, reason, resolvedBy }: ResolveTransactionRequest): void {
  const isKnown = status === TransactionStatus.SUCCEEDED || status === TransactionStatus.FAILED
  const isReason = reason.trim() !== '' && reason.length <= REASON_MAX
  const isName = resolvedBy.trim() !== '' && resolvedBy.length <= NAME_MAX
  throwFaults([
    ...(isKnown ? [] : [fault('#/status', 'ENUM', 'must be SUCCEEDED or FAILED')]),
    ...(isReason ? [] : [fault('#/reason', 'LENGTH', `must have 1 to ${REASON_MAX} characters`)]),
    ...(isName ? [] : [fault('#/resolvedBy', 'LENGTH', `must have 1 to ${NAME_MAX} characters`)]),
  ])
}
