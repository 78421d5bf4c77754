import { DomainError, notFound } from '@cofre/platform/errors'
import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import { lockInvoice } from '../invoice/store/invoice-store'
import {
  findRefused,
  noteClosed,
  retryRefused,
  type ClosingNote,
  type Named,
} from './store/refused-refund-store'
import { recordOutcome, type Recording } from './record-outcome'

const HOUR_MS = 3_600_000
/** Some acquirers refund only from the next day on, others only once the seller has money there. */
const RETRY_AFTER_MS = [5 * 60_000, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, 24 * HOUR_MS]

/** When a refund with so many refusals is tried again, epoch milliseconds. Null when a person has to decide. */
export function retryAfter(refusals: number, at: number): number | null {
  const delay = RETRY_AFTER_MS[refusals - 1]
  return delay === undefined ? null : at + delay
}

/** Tries a finally refused refund once more. Repeatable. NOT_FOUND, FAILED_PRECONDITION INVALID_INVOICE_STATE. */
export async function retryRefund(pool: Pool, refund: Named, at: number): Promise<void> {
  const found = await findRefused(pool, refund)
  if (!found) throw notFound()
  if (!found.isRefused && !found.isTried) throw notRefused()
  await retryRefused(pool, refund, at)
}

/**
 * Notes that money whose refund the acquirer refused went back in another way. The payment is FAILED, and its invoice
 * may be paid again. Repeatable; the first note stays. NOT_FOUND, FAILED_PRECONDITION INVALID_INVOICE_STATE.
 */
export async function closeRefund(
  { pool, ...deps }: Recording & { pool: Pool },
  refund: Named,
  note: ClosingNote,
): Promise<void> {
  const key = await findRefused(pool, refund)
  if (!key) throw notFound()
  await withTransaction(pool, async (tx) => {
    await lockInvoice(tx, { sellerId: key.sellerId, id: key.invoiceId })
    const found = await findRefused(tx, refund)
    if (found?.isClosed) return
    if (!found?.isRefused) throw notRefused()
    const { at } = note
    const moment = { at, askAt: at, isAnswered: false }
    await recordOutcome(deps, tx, key, { result: 'failed', chargeId: found.chargeId }, moment)
    await noteClosed(tx, refund, note)
  })
}

function notRefused(): DomainError {
  const message = 'The acquirer has not refused this refund for good.'
  return new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', message)
}
