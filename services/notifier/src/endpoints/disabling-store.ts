import { leaseDue } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Endpoint } from './endpoint'

/** Why an endpoint is disabled: it answered 410, or did nothing but fail for five days. */
export type DisablingReason = 'GONE' | 'FAILING'
export type Disabling = {
  id: string
  sellerId: number
  endpointId: number
  url: string
  reason: DisablingReason
  disabledAt: Date
}

const LEASE_MS = 60_000
const AT_ONCE = 100

/** Notes a disabling in the same transaction, so that the seller's users are notified of each once. */
export async function insertDisabling(
  tx: Db,
  { id, sellerId, url }: Pick<Endpoint, 'id' | 'sellerId' | 'url'>,
  reason: DisablingReason,
): Promise<void> {
  await tx.query('INSERT INTO disablings (seller_id, endpoint_id, url, reason) VALUES ($1, $2, $3, $4)', [
    sellerId,
    id,
    url,
    reason,
  ])
}

/** Leases disablings to this caller alone, for a minute. */
export function takeDisablings(pool: Pool): Promise<Disabling[]> {
  const returning = `id, seller_id AS "sellerId", endpoint_id AS "endpointId", url, reason, disabled_at AS "disabledAt"`
  const lease = { at: Date.now(), firstMs: LEASE_MS, maxMs: LEASE_MS, batch: AT_ONCE, inHand: [] }
  return leaseDue(pool, { table: 'disablings', key: 'id', returning }, lease)
}

export async function deleteDisabling(pool: Pool, id: string): Promise<void> {
  await pool.query('DELETE FROM disablings WHERE id = $1', [id])
}

/** Forgets disablings that nobody acknowledged within 30 days: the news is old. Returns how many. */
export async function forgetDisablings(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM disablings WHERE id IN (
       SELECT id FROM disablings WHERE disabled_at < now() - interval '30 days' LIMIT 500)`,
  )
  return rowCount ?? 0
}
