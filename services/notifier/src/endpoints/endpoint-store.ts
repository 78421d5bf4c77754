import { DomainError, notFound } from '@cofre/platform/errors'
import { listPage, rowsToRead, type ListPage } from '@cofre/platform/list-page'
import { type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { Endpoint } from './endpoint'

const COLUMNS = `id, endpoints.seller_id AS "sellerId", url, events, status, created_at AS "createdAt", description,
  header_names AS "headerNames", headers_sealed AS "headersSealed", rate_limit AS "rateLimit"`
/** Bounded, since every event makes a delivery for each endpoint. */
const MAX_OF_SELLER = 50

export type SealedHeaders = Pick<Endpoint, 'headerNames' | 'headersSealed'>
/** The settings of an endpoint that its seller chooses. */
export type EndpointTerms = Pick<Endpoint, 'url' | 'events' | 'description' | 'rateLimit'> & SealedHeaders

/** Adds an endpoint. Throws ENDPOINT_LIMIT_REACHED. */
export async function insertEndpoint(
  tx: Db,
  {
    sellerId,
    url,
    events,
    description,
    rateLimit,
  }: Omit<EndpointTerms, keyof SealedHeaders> & { sellerId: number },
): Promise<Endpoint> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`endpoints of seller ${sellerId}`])
  const { rows } = await tx.query<Endpoint>(
    `INSERT INTO endpoints (seller_id, url, events, description, rate_limit)
     SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM endpoints WHERE seller_id = $1) < ${MAX_OF_SELLER}
     RETURNING ${COLUMNS}`,
    [sellerId, url, events, description, rateLimit],
  )
  if (rows[0]) return rows[0]
  const message = `A seller has at most ${MAX_OF_SELLER} endpoints.`
  throw new DomainError('failed_precondition', 'ENDPOINT_LIMIT_REACHED', message)
}

/** A page of a seller's endpoints, newest first. `after`: the page follows the endpoint with this id. */
export async function findEndpoints(
  pool: Pool,
  sellerId: number,
  request: { page: number; size: number; after?: number | undefined },
): Promise<ListPage<Endpoint>> {
  const { limit, offset } = rowsToRead(request)
  const [found, counted] = await Promise.all([
    pool.query<Endpoint>(
      `SELECT ${COLUMNS} FROM endpoints WHERE seller_id = $1 AND ($4::bigint IS NULL OR id < $4)
       ORDER BY id DESC LIMIT $2 OFFSET $3`,
      [sellerId, limit, offset, request.after ?? null],
    ),
    pool.query<{ total: number }>('SELECT count(*) AS total FROM endpoints WHERE seller_id = $1', [sellerId]),
  ])
  return listPage(found.rows, counted.rows[0]?.total ?? 0, request)
}

export async function readEndpoint(pool: Pool, sellerId: number, id: number): Promise<Endpoint> {
  const { rows } = await pool.query<Endpoint>(
    `SELECT ${COLUMNS} FROM endpoints WHERE id = $1 AND seller_id = $2`,
    [id, sellerId],
  )
  return oneOf(rows)
}

/**
 * Locks an endpoint before anything else of it, so that its changes take turns. Only a deletion waits for transactions
 * that make deliveries for the endpoint, and they wait for the deletion. Throws NOT_FOUND.
 */
export async function lockEndpoint(
  tx: Db,
  sellerId: number,
  id: number,
  strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<Endpoint> {
  const { rows } = await tx.query<Endpoint>(
    `SELECT ${COLUMNS} FROM endpoints WHERE id = $1 AND seller_id = $2 FOR ${strength}`,
    [id, sellerId],
  )
  return oneOf(rows)
}

/** Replaces the settings that the seller chooses. */
export async function replaceEndpoint(
  tx: Db,
  id: number,
  { url, events, description, rateLimit, headerNames, headersSealed }: EndpointTerms,
): Promise<Endpoint> {
  const { rows } = await tx.query<Endpoint>(
    `UPDATE endpoints SET url = $2, events = $3, description = $4, rate_limit = $5, header_names = $6,
       headers_sealed = $7
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, url, events, description, rateLimit, headerNames, headersSealed],
  )
  return oneOf(rows)
}

export async function enableEndpoint(tx: Db, id: number): Promise<Endpoint> {
  const { rows } = await tx.query<Endpoint>(
    `UPDATE endpoints SET status = 'ENABLED', failing_since = CASE status WHEN 'ENABLED' THEN failing_since END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id],
  )
  return oneOf(rows)
}

export async function deleteEndpoint(tx: Db, id: number): Promise<void> {
  await tx.query('DELETE FROM endpoints WHERE id = $1', [id])
}

/**
 * The endpoints that receive an event; a disabled one's delivery waits until it is enabled. In a transaction that makes
 * their deliveries, they stay until it ends. A deletion meanwhile waits, and takes the new deliveries with it.
 */
export async function endpointsFor(db: Db, sellerId: number, eventType: string): Promise<Endpoint[]> {
  const { rows } = await db.query<Endpoint>({
    name: 'endpoints-for',
    text: `SELECT ${COLUMNS} FROM endpoints
      WHERE seller_id = $1 AND (events = '{}' OR events && ARRAY[$2, split_part($2, '.', 1) || '.*'])
      ORDER BY id FOR KEY SHARE`,
    values: [sellerId, eventType],
  })
  return rows
}

/** An endpoint that receives an event; `failing`: its last attempt failed. */
export type Notified = Endpoint & { failing: boolean }
type Wanted = { sellerId: number; eventType: string }

/** The same for many events at once: returns a function that finds the endpoints of each. */
export async function endpointsForAll(
  db: Db,
  wanted: readonly Wanted[],
): Promise<(wanted: Wanted) => readonly Notified[]> {
  const keyOf = ({ sellerId, eventType }: Wanted) => `${sellerId} ${eventType}`
  if (wanted.length === 0) return () => []
  const distinct = [...new Map(wanted.map((each) => [keyOf(each), each])).values()]
  const { rows } = await db.query<Notified & { eventType: string }>({
    name: 'endpoints-for-all',
    text: `SELECT ${COLUMNS},
        failing_since IS NOT NULL AS failing, wanted.type AS "eventType"
      FROM unnest($1::bigint[], $2::text[]) AS wanted(seller_id, type)
      JOIN endpoints ON endpoints.seller_id = wanted.seller_id AND (events = '{}' OR events && ARRAY[wanted.type, split_part(wanted.type, '.', 1) || '.*'])
      ORDER BY id FOR KEY SHARE OF endpoints`,
    values: [distinct.map(({ sellerId }) => sellerId), distinct.map(({ eventType }) => eventType)],
  })
  const found = new Map<string, Notified[]>()
  for (const row of rows) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row])
  return (each) => found.get(keyOf(each)) ?? []
}

/**
 * Locks all endpoints of a seller, in their order, before a lane of any. Disabling one notifies the others, which may
 * be disabled at the same time.
 */
export async function holdEndpoints(tx: Db, sellerId: number): Promise<void> {
  await tx.query('SELECT FROM endpoints WHERE seller_id = $1 ORDER BY id FOR NO KEY UPDATE', [sellerId])
}

/** Disables an endpoint and returns it. Undefined when it was not enabled. */
export async function disableEndpoint(tx: Db, id: number): Promise<Endpoint | undefined> {
  const { rows } = await tx.query<Endpoint>(
    `UPDATE endpoints SET status = 'DISABLED' WHERE id = $1 AND status = 'ENABLED' RETURNING ${COLUMNS}`,
    [id],
  )
  return rows[0]
}

/**
 * Notes which endpoints answered well after failures, and which failed now. Returns the enabled ones among the latter
 * that have done nothing but fail for five days.
 */
export async function noteHealth(
  pool: Pool,
  well: readonly number[],
  badly: readonly number[],
): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'note-health',
    text: `WITH healed AS (UPDATE endpoints SET failing_since = NULL WHERE id = ANY($1::bigint[])),
      fell AS (UPDATE endpoints SET failing_since = now() WHERE id = ANY($2::bigint[]) AND failing_since IS NULL
        AND id <> ALL($1::bigint[]))
      SELECT id FROM endpoints WHERE id = ANY($2::bigint[]) AND id <> ALL($1::bigint[]) AND status = 'ENABLED'
        AND failing_since < now() - interval '5 days'`,
    values: [well, badly],
  })
  return rows.map(({ id }) => id)
}

function oneOf(rows: Endpoint[]): Endpoint {
  if (!rows[0]) throw notFound('There is no such endpoint.')
  return rows[0]
}
