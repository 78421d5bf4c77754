import type { ReceiptEventType } from '@cofre/api/events'
import { DomainError } from '@cofre/platform/errors'
import type { Db } from '@cofre/platform/postgres/postgres'
import { movement, NOTHING, type Movement, type Source } from '../invoice/rules/movement'
import { tellAll } from '../invoice/store/many-invoices-store'
import type { Receipt, ReceiptOutcome } from './receipt'
import { receiptEvent } from './receipt-message'
import { saveReceipt } from './receipt-store'

/** What became of a part of money that waited, cents. */
export type ClosedPart = { outcome: ReceiptOutcome; amount: number; note: string; at: number }

/**
 * What of a receipt a person may decide on, cents: what waits and is not on its way back. Throws FAILED_PRECONDITION
 * RECEIPT_RESOLVED when that is nothing.
 */
export function waitingOf({ openAmount, returningAmount }: Receipt): number {
  if (openAmount > returningAmount) return openAmount - returningAmount
  const message = returningAmount > 0 ? 'The rest of this receipt is on its way back.' : NOTHING_WAITS
  throw new DomainError('failed_precondition', 'RECEIPT_RESOLVED', message)
}

const NOTHING_WAITS = 'Nothing of this receipt waits any more.'

/**
 * Closes a part of a receipt that the caller has locked, with the movements of money that no invoice takes. Its seller
 * is notified once nothing of it waits. Returns it as it is then.
 */
export async function closePart(
  tx: Db,
  receipt: Receipt,
  { outcome, amount, note, at }: ClosedPart,
  movements: readonly Movement[],
): Promise<Receipt> {
  const openAmount = receipt.openAmount - amount
  const isDone = openAmount === 0
  const closed = isDone ? { resolvedAt: at, outcome } : {}
  const changed: Receipt = { ...receipt, openAmount, resolution: note || receipt.resolution, ...closed }
  return saveAndTell(tx, changed, { movements, type: isDone ? 'receipt.resolved' : undefined, at })
}

/** Saves a receipt that the caller has locked, with movements, and sends its seller an event. Returns it as it is then. */
export async function saveAndTell(
  tx: Db,
  receipt: Receipt,
  {
    movements = [],
    type,
    at,
  }: { movements?: readonly Movement[]; type: ReceiptEventType | undefined; at: number },
): Promise<Receipt> {
  const { sellerId } = receipt
  if (type === undefined || sellerId === null) {
    await saveReceipt(tx, receipt, movements)
    return receipt
  }
  const told = { ...receipt, sellerId, events: receipt.events + 1 }
  await saveReceipt(tx, told, movements)
  await tellAll(tx, [receiptEvent(told, type, at)])
  return told
}

/** Money of a receipt that came in for no invoice. */
export function income(
  receipt: Receipt & { sellerId: number },
  amount: number,
  at: number,
  source: Source,
): Movement {
  const { method } = receipt
  return withoutInvoice(receipt, { kind: 'PAYMENT', method, amount, at: receipt.paidAt }, at, source)
}

/** Money of a receipt that was given back. RETURN: outside this service. REFUND: the way it came. */
export function returned(
  receipt: Receipt & { sellerId: number },
  kind: 'RETURN' | 'REFUND',
  { amount, returnedAt, at }: { amount: number; returnedAt: number; at: number },
  source: Source,
): Movement {
  const method = kind === 'RETURN' ? 'EXTERNAL' : receipt.method
  return withoutInvoice(receipt, { kind, method, amount, at: returnedAt }, at, source)
}

function withoutInvoice(
  { id: receiptId, sellerId }: Receipt & { sellerId: number },
  { amount, ...moved }: Pick<Movement, 'kind' | 'method' | 'amount' | 'at'>,
  recordedAt: number,
  source: Source,
): Movement {
  const of = { sellerId, invoiceId: null, ...moved, recordedAt }
  return movement(of, { ...NOTHING, principal: amount, fee: 0 }, { receiptId, ...source })
}
