import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { hostOf, nameByHand, receiverName, type Receiver } from './receiver'

/** `nextAt`: as PostgreSQL writes it, to the microsecond. `hasFirst`: a first attempt is due there. */
export type DueReceiver = Receiver & {
  name: string
  nextAt: string
  hasFirst: boolean
  /** Its endpoint, if that has a rate limit: attempts a second. */
  limited: { endpointId: number; rateLimit: number } | null
}

const NEXT_OF_LANES = `least(
  (SELECT min(due_at) FROM lanes WHERE receiver_id = receivers.id AND NOT retried),
  (SELECT min(due_at) FROM lanes WHERE receiver_id = receivers.id AND retried))`

/** In SQL, the endpoint of a due receiver, also of a receiver for deliveries requested by hand. */
const ENDPOINT_OF = `substring(due.name FROM '^endpoint (\\d+)( by hand)?$')::bigint`

/**
 * Receivers with a lane that may be due, the longest first, and those of `woken`. Costs the same however much waits:
 * one lane of each is read by its index. EXISTS would be hashed, and read all lanes.
 */
export async function findDueReceivers(
  pool: Pool,
  woken: readonly number[],
  limit: number,
): Promise<DueReceiver[]> {
  const columns = 'id, seller_id AS "sellerId", name, host, next_at::text AS "nextAt"'
  const { rows } = await pool.query<DueReceiver>({
    name: 'due-receivers',
    text: `SELECT due.*, (SELECT due_at FROM lanes WHERE receiver_id = due.id AND NOT retried AND due_at <= now()
          ORDER BY due_at LIMIT 1) IS NOT NULL AS "hasFirst",
        (SELECT json_build_object('endpointId', e.id, 'rateLimit', rate_limit) FROM endpoints e
          WHERE e.id = ${ENDPOINT_OF} AND rate_limit IS NOT NULL) AS limited
      FROM ((SELECT ${columns}, next_at FROM receivers WHERE next_at <= now() ORDER BY next_at LIMIT $2)
        UNION SELECT ${columns}, next_at FROM receivers WHERE id = ANY($1::bigint[]) AND state = 'OPEN') AS due
      ORDER BY next_at`,
    values: [woken, limit],
  })
  return rows
}

/**
 * Notes when the next lane of each receiver is due, once nothing more is due now. It misses a lane opened at the same
 * moment only if that transaction saw the earlier time. The consumer that opened the lane then looks at the receiver at
 * once; for others `noteForgotten` does within two seconds.
 */
export async function noteNext(pool: Pool, receivers: readonly DueReceiver[]): Promise<void> {
  await pool.query({
    name: 'note-next',
    text: `UPDATE receivers SET next_at = coalesce(${NEXT_OF_LANES}, 'infinity')
      FROM unnest($1::bigint[], $2::timestamptz[]) AS seen(receiver_id, at)
      WHERE id = seen.receiver_id AND next_at = seen.at AND state = 'OPEN'`,
    values: [receivers.map(({ id }) => id), receivers.map(({ nextAt }) => nextAt)],
  })
}

/** How long a receiver without room makes way for others that may stand behind it. */
const POSTPONED_MS = 1_000

/** Postpones receivers without room, so that others behind them are found. */
export async function postpone(pool: Pool, receiverIds: readonly number[]): Promise<void> {
  await pool.query({
    name: 'postpone-receivers',
    text: `UPDATE receivers SET next_at = now() + $2::float8 * interval '1 millisecond'
      WHERE id = ANY($1::bigint[]) AND next_at <= now()`,
    values: [receiverIds, POSTPONED_MS],
  })
}

/** Notes in how many milliseconds a lane of each receiver is due. A locked receiver is left to `noteForgotten`. */
export async function expectLanes(db: Db, inMsOf: ReadonlyMap<number, number>): Promise<void> {
  await db.query({
    name: 'expect-lanes',
    text: `UPDATE receivers SET next_at = late.due_at FROM (
        SELECT receivers.id, due_at FROM receivers
        JOIN (SELECT id, now() + in_ms * interval '1 millisecond' AS due_at
          FROM unnest($1::bigint[], $2::float8[]) AS expected(id, in_ms)) AS expected USING (id)
        WHERE receivers.id = ANY($1::bigint[]) AND state = 'OPEN' AND next_at > due_at
        FOR UPDATE OF receivers SKIP LOCKED) AS late
      WHERE receivers.id = late.id AND receivers.id = ANY($1::bigint[])`,
    values: [[...inMsOf.keys()], [...inMsOf.values()]],
  })
}

/**
 * Mends lost notes of next lanes, for `limit` receivers after the id `from`. Returns the last id, or 0 at the end. A
 * postponed receiver is left alone: it is looked at soon, and must not go before those that it makes way for.
 */
export async function noteForgotten(pool: Pool, from: number, limit: number): Promise<number> {
  const { rows } = await pool.query<{ last: number }>({
    name: 'note-forgotten',
    text: `WITH part AS (SELECT id FROM receivers WHERE id > $1 ORDER BY id LIMIT $2),
      late AS (
        SELECT id, next FROM (
          SELECT id, next_at, ${NEXT_OF_LANES} AS next FROM receivers WHERE id IN (SELECT id FROM part) AND state = 'OPEN'
            AND next_at > now() + $3::float8 * interval '1 millisecond'
        ) AS each WHERE next < next_at),
      noted AS (
        UPDATE receivers SET next_at = late.next FROM late
        WHERE receivers.id = late.id AND state = 'OPEN' AND receivers.next_at > late.next)
      SELECT coalesce(max(id), 0) AS last FROM part`,
    values: [from, limit, POSTPONED_MS],
  })
  return rows[0]?.last ?? 0
}

type Wanted = { sellerId: number; endpointId: number | null; url: string; name?: string }

/** Returns the receiver of each of these, and makes the missing ones. */
export async function makeReceivers(db: Db, wanted: readonly Wanted[]): Promise<number[]> {
  const named = wanted.map(({ sellerId, endpointId, url, name }) => ({
    sellerId,
    endpointId,
    host: hostOf(url),
    name: name ?? receiverName(endpointId, url),
  }))
  const { rows } = await db.query<{ id: number; sellerId: number; name: string }>(
    `INSERT INTO receivers (seller_id, name, endpoint_id, host, state, next_at)
     SELECT DISTINCT "sellerId", name, "endpointId", host, ${stateOf('"endpointId"')}, 'infinity'::timestamptz
     FROM json_to_recordset($1::json) AS w("sellerId" bigint, name text, "endpointId" bigint, host text) ORDER BY 1, 2
     ON CONFLICT ON CONSTRAINT receivers_once DO UPDATE SET name = excluded.name
     RETURNING id, seller_id AS "sellerId", name`,
    [JSON.stringify([...new Map(named.map((each) => [`${each.sellerId} ${each.name}`, each])).values()])],
  )
  const idOf = new Map(rows.map(({ id, sellerId, name }) => [`${sellerId} ${name}`, id]))
  return named.map(({ sellerId, name }) => idOf.get(`${sellerId} ${name}`) ?? 0)
}

/** In SQL, the state in which the receiver of an endpoint begins; the endpoint may be gone already. */
export function stateOf(endpointId: string): string {
  return `CASE WHEN ${endpointId} IS NULL THEN 'OPEN' ELSE coalesce(
    (SELECT CASE status WHEN 'ENABLED' THEN 'OPEN' ELSE 'PAUSED' END FROM endpoints WHERE id = ${endpointId}), 'CLOSING') END`
}

/** Pauses an endpoint's receiver. Until it is opened again, only deliveries requested by hand go to the endpoint. */
export async function pauseReceiver(tx: Db, endpointId: number): Promise<void> {
  await tx.query(`UPDATE receivers SET state = 'PAUSED', next_at = 'infinity' WHERE endpoint_id = $1`, [
    endpointId,
  ])
}

/** Opens an endpoint's receiver again; its lanes are due at their own times. */
export async function openReceiver(tx: Db, endpointId: number): Promise<void> {
  await tx.query(
    `UPDATE receivers SET state = 'OPEN', next_at = now() WHERE endpoint_id = $1 AND state = 'PAUSED'`,
    [endpointId],
  )
}

type Owned = { id: number; sellerId: number }

/** In SQL, the receivers of an endpoint: its own, and its receiver for deliveries requested by hand. */
export const OF_ENDPOINT = `(receivers.endpoint_id = $1 OR (receivers.seller_id = $2 AND receivers.name = $3))`

/** The parameters of `OF_ENDPOINT`. */
export function ofEndpoint({ id, sellerId }: Owned): [number, number, string] {
  return [id, sellerId, nameByHand(id)]
}

export async function moveReceivers(tx: Db, endpoint: Owned & { url: string }): Promise<void> {
  await tx.query(`UPDATE receivers SET host = $4 WHERE ${OF_ENDPOINT}`, [
    ...ofEndpoint(endpoint),
    hostOf(endpoint.url),
  ])
}

/** Begins to close the receivers of a deleted endpoint; `closeReceivers` goes on. Returns their ids. */
export async function beginClosing(tx: Db, endpoint: Owned): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `UPDATE receivers SET state = 'CLOSING', next_at = 'infinity' WHERE ${OF_ENDPOINT} RETURNING id`,
    ofEndpoint(endpoint),
  )
  return rows.map(({ id }) => id)
}
