import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import type { ReturnReceiptRequest } from '@cofre/proto/invoices/v1/money'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { throwFaults } from '../../request-check'
import { closePart, income, returned, waitingOf } from '../close-receipt-part'
import { amountFaults, pastFaults, wordFaults } from '../money-request'
import { beginReceiptReturn } from '../pix-refunds/begin-refund'
import { refundOnce } from '../pix-refunds/send-refund'
import { receiptMessage } from '../receipt-message'
import { lockReceipt } from '../receipt-store'

export function returnReceipt(
  deps: Deps,
  request: ReturnReceiptRequest,
): Promise<Replayable<UnexpectedReceipt>> {
  throwFaults(wordFaults(request))
  if (!request.byPix) return recordReturned(deps, request)
  return refundOnce(deps, request.sellerId, UnexpectedReceipt, (tx, operationId) =>
    beginReceiptReturn(deps, tx, request, operationId),
  )
}

/** Records money that the seller gave back outside this service. */
function recordReturned(
  { pool, log }: Deps,
  { sellerId, receiptId: id, returnedAt, ...asked }: ReturnReceiptRequest,
): Promise<Replayable<UnexpectedReceipt>> {
  const at = now()
  throwFaults(pastFaults('#/returnedAt', returnedAt, at))
  return withIdempotency(pool, sellerId, UnexpectedReceipt, async (tx) => {
    const receipt = await lockReceipt(tx, { sellerId, id })
    const waiting = waitingOf(receipt)
    throwFaults(amountFaults(asked.amount, waiting))
    const amount = asked.amount ?? waiting
    const { note, reference } = asked
    const source = { note: note || null, reference: reference || null }
    const came = income({ ...receipt, sellerId }, amount, at, {})
    const left = returned({ ...receipt, sellerId }, 'RETURN', { amount, returnedAt, at }, source)
    const closed = await closePart(
      tx,
      receipt,
      { outcome: 'RETURNED', amount, note: note || reference, at },
      [came, left],
    )
    log.info({ sellerId, receiptId: id, amount }, 'receipt returned')
    return receiptMessage(closed)
  })
}
