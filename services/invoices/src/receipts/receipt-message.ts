import { UnexpectedReason, type UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import type { Receipt } from './receipt'

export function receiptMessage(receipt: Receipt): UnexpectedReceipt {
  return {
    id: receipt.id,
    sellerId: receipt.sellerId ?? 0,
    reason: receipt.reason ? UnexpectedReason[receipt.reason] : UnexpectedReason.UNSPECIFIED,
    receivedAmount: receipt.amount,
    unexpectedAmount: receipt.unexpected,
    invoiceId: receipt.invoiceId ?? 0,
    boletoId: receipt.boletoId ?? 0,
    ourNumber: receipt.ourNumber,
    bankReceiptId: receipt.bankId,
    paidAt: receipt.paidAt,
    resolvedAt: receipt.resolvedAt ?? undefined,
    resolution: receipt.resolution ?? '',
    createdAt: receipt.createdAt,
    account: receipt.account,
    resolvedBy: receipt.resolvedBy ?? '',
  }
}
