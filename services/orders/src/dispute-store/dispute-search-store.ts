import type { ListPage } from '@cofre/platform/list-page'
import { createdBetween, readList, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Dispute } from '../disputes/dispute'
import { disputeOf, SELECT_DISPUTE, type DisputeKey, type SelectedDispute } from './dispute-store'

export type DisputeFilter = {
  sellerId: number
  chargeId: number | undefined
  /** Empty: any status. */
  statuses: string[]
  /** Epoch milliseconds, inclusive. */
  openedFrom: number | undefined
  openedTo: number | undefined
  /** A day, included. */
  respondByTo: string | undefined
}

/** A page of a seller's disputes, newest first. Throws PAGE_TOO_DEEP. */
export async function listDisputes(
  pool: Pool,
  { sellerId, chargeId, statuses, openedFrom, openedTo, respondByTo }: DisputeFilter,
  request: ListRequest,
): Promise<ListPage<Dispute>> {
  const conditions = [
    ['t.charge_id = $', chargeId],
    ['t.respond_by <= $', respondByTo],
    ...createdBetween(openedFrom, openedTo),
  ] as const
  const list = { table: 'disputes', select: SELECT_DISPUTE, sellerId, conditions, statuses }
  const { entries, ...end } = await readList<SelectedDispute>(pool, list, request)
  return { entries: entries.map(disputeOf), ...end }
}

/** The establishment's disputes of these cases, and those that are still open to news. */
export async function disputesOf(
  db: Db,
  establishmentId: number,
  caseIds: readonly string[],
): Promise<Dispute[]> {
  const { rows } = await db.query<SelectedDispute>(
    `${SELECT_DISPUTE} WHERE t.establishment_id = $1
       AND (t.case_id = ANY ($2::text[]) OR t.status IN ('NEEDS_RESPONSE', 'UNDER_REVIEW'))`,
    [establishmentId, caseIds],
  )
  return rows.map(disputeOf)
}

/** Takes disputes of which something is due, for this caller alone until `again`. */
export async function leaseDeadlines(
  pool: Pool,
  { at, again, batch }: { at: number; again: number; batch: number },
): Promise<DisputeKey[]> {
  const { rows } = await pool.query<DisputeKey>(
    `UPDATE disputes SET due_at = $2 WHERE id IN (
       SELECT id FROM disputes WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, seller_id AS "sellerId"`,
    [new Date(at), new Date(again), batch],
  )
  return rows
}
