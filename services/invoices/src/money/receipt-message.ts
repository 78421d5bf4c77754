import { TOPICS, type ReceiptEventType } from '@cofre/api/events'
import type { DomainEvent } from '@cofre/platform/events/outbox'
import { ReceiptOutcome, UnexpectedReason, type UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import { ReceiptEvent } from '@cofre/proto/invoices/v1/money'
import type { AskMethod } from '../methods/methods'
import type { Receipt } from './receipt'

/** The fields that name the ask of each method. */
type Named = Pick<UnexpectedReceipt, 'boletoId' | 'ourNumber' | 'pixId' | 'txid'>
const UNNAMED: Named = { boletoId: 0, ourNumber: '', pixId: 0, txid: '' }
const NAMED: Record<AskMethod, (receipt: Receipt) => Named> = {
  BOLETO: ({ askId, askNumber }) => ({ ...UNNAMED, boletoId: askId ?? 0, ourNumber: askNumber }),
  PIX: ({ askId, askNumber }) => ({ ...UNNAMED, pixId: askId ?? 0, txid: askNumber }),
}

export function receiptMessage(receipt: Receipt): UnexpectedReceipt {
  return {
    id: receipt.id,
    sellerId: receipt.sellerId ?? 0,
    reason: receipt.reason ? UnexpectedReason[receipt.reason] : UnexpectedReason.UNSPECIFIED,
    receivedAmount: receipt.amount,
    unexpectedAmount: receipt.unexpected,
    invoiceId: receipt.invoiceId ?? 0,
    ...NAMED[receipt.method](receipt),
    payer: receipt.payer ?? undefined,
    bankReceiptId: receipt.bankId,
    paidAt: receipt.paidAt,
    resolvedAt: receipt.resolvedAt ?? undefined,
    resolution: receipt.resolution ?? '',
    createdAt: receipt.createdAt,
    account: receipt.account,
    resolvedBy: receipt.resolvedBy ?? '',
    openAmount: receipt.openAmount,
    returningAmount: receipt.returningAmount,
    outcome: outcomeOf(receipt),
  }
}

/** Of money that its invoice took whole, nothing ever waited. */
function outcomeOf({ outcome, unexpected }: Receipt): ReceiptOutcome {
  if (unexpected === 0) return ReceiptOutcome.APPLIED
  return outcome ? ReceiptOutcome[outcome] : ReceiptOutcome.UNSPECIFIED
}

/** The event that reports a change of a receipt to its seller: the last one that the receipt counts. */
export function receiptEvent(
  receipt: Receipt & { sellerId: number },
  type: ReceiptEventType,
  at: number,
): DomainEvent {
  const { events: sequence } = receipt
  const value = ReceiptEvent.toJSON({ receipt: receiptMessage(receipt), sequence, occurredAt: at })
  return { topic: TOPICS.receipts, key: String(receipt.id), type, sellerId: receipt.sellerId, value }
}
