import { PixRefundStatus, type PixRefund as Message } from '@cofre/proto/invoices/v1/pix'
import type { PixRefund } from '../rules/pix-refund'

export function refundMessage(refund: PixRefund): Message {
  const { id, sellerId, amount, endToEndId, number, createdAt, updatedAt } = refund
  return {
    id,
    sellerId,
    invoiceId: refund.invoiceId ?? 0,
    status: PixRefundStatus[refund.status],
    amount,
    endToEndId,
    number,
    nature: refund.nature ?? '',
    reason: refund.note ?? '',
    refusal: refund.refusal ?? '',
    createdAt,
    updatedAt,
  }
}
