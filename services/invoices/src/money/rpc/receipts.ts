import {
  UnexpectedReceipt,
  type ListUnexpectedReceiptsRequest,
  type ListUnexpectedReceiptsResponse,
  type ResolveUnexpectedReceiptRequest,
} from '@cofre/proto/invoices/v1/boletos'
import type {
  CloseReceiptRequest,
  ListWaitingReceiptsRequest,
  ListWaitingReceiptsResponse,
} from '@cofre/proto/invoices/v1/invoices'
import type { GetReceiptRequest } from '@cofre/proto/invoices/v1/money'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { now } from '../../clock/billing-clock'
import { closingNote } from '../../closing-note'
import type { Deps } from '../../deps'
import { checkPage, fault, throwFaults } from '../../request-check'
import { closePart, income, waitingOf } from '../close-receipt-part'
import { wordFaults } from '../money-request'
import { receiptMessage } from '../receipt-message'
import {
  closeReceipt as close,
  listUnexpected,
  listWaiting,
  lockReceipt,
  readReceipt,
} from '../receipt-store'

const LISTED_MAX = 100

export async function listUnexpectedReceipts(
  { pool }: Deps,
  { page, size, after, place, ...filter }: ListUnexpectedReceiptsRequest,
): Promise<ListUnexpectedReceiptsResponse> {
  checkPage({ page, size })
  const { entries, ...end } = await listUnexpected(pool, filter, { page, size, after, place })
  return { receipts: entries.map(receiptMessage), ...end }
}

export async function getReceipt(
  { pool }: Deps,
  { sellerId, receiptId: id }: GetReceiptRequest,
): Promise<UnexpectedReceipt> {
  return receiptMessage(await readReceipt(pool, { sellerId, id }))
}

/** The seller keeps what waits. A repeat without the key returns the first note. */
export function resolveUnexpectedReceipt(
  { pool, log }: Deps,
  { sellerId, receiptId: id, note }: ResolveUnexpectedReceiptRequest,
): Promise<Replayable<UnexpectedReceipt>> {
  throwFaults([...(note === '' ? [fault('#/note', 'REQUIRED', 'is required')] : []), ...wordFaults({ note })])
  return withIdempotency(pool, sellerId, UnexpectedReceipt, async (tx) => {
    const open = await lockReceipt(tx, { sellerId, id })
    if (open.outcome === 'KEPT') return receiptMessage(open)
    const amount = waitingOf(open)
    const at = now()
    const came = income({ ...open, sellerId }, amount, at, { note })
    const kept = await closePart(tx, open, { outcome: 'KEPT', amount, note, at }, [came])
    log.info({ sellerId, receiptId: id }, 'unexpected receipt kept')
    return receiptMessage(kept)
  })
}

export async function listWaitingReceipts(
  { pool }: Deps,
  { sellerId }: ListWaitingReceiptsRequest,
): Promise<ListWaitingReceiptsResponse> {
  const found = await listWaiting(pool, sellerId, LISTED_MAX + 1)
  return { receipts: found.slice(0, LISTED_MAX).map(receiptMessage), more: found.length > LISTED_MAX }
}

/** A repeat returns the first note: no key is needed. */
export async function closeReceipt(
  { pool, log }: Deps,
  { receiptId, ...request }: CloseReceiptRequest,
): Promise<UnexpectedReceipt> {
  const { note, by } = closingNote(request)
  const receipt = await close(pool, receiptId, { note, by, at: now() })
  log.warn({ receiptId, by, reason: note }, 'receipt without a seller closed by hand')
  return receiptMessage(receipt)
}
