import { notFound } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import type { Decision, NetworkToken } from './network-token'
import { eventsOf } from './network-token-message'

export type TokenKey = { sellerId: number; token: string }

const COLUMNS = `token, seller_id AS "sellerId", merchant_id AS "merchantId", reference, partner_id AS "partnerId", status,
  reason, bin, last_four AS "lastFour", brand, expiration_year AS "expirationYear",
  expiration_month AS "expirationMonth", holder_name AS "holderName", card_is_current AS "cardIsCurrent",
  notification_url AS "notificationUrl", dispatch_deadline AS "dispatchDeadline", cleanup, ask_at AS "askAt", version,
  sequence, created_at AS "createdAt", updated_at AS "updatedAt"`

type Row = Omit<NetworkToken, 'card' | 'dispatchDeadline' | 'askAt' | 'createdAt' | 'updatedAt'> &
  NetworkToken['card'] & {
    dispatchDeadline: Date | null
    askAt: Date | null
    createdAt: Date
    updatedAt: Date
  }

export async function insertToken(tx: Db, token: NetworkToken): Promise<void> {
  const { card } = token
  await tx.query({
    name: 'insert-token',
    text: `INSERT INTO network_tokens (token, seller_id, merchant_id, reference, status, bin, last_four, brand,
        expiration_year, expiration_month, holder_name, card_is_current, notification_url, ask_at, version, sequence,
        created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
    values: [
      token.token,
      token.sellerId,
      token.merchantId,
      token.reference,
      token.status,
      card.bin,
      card.lastFour,
      card.brand,
      card.expirationYear,
      card.expirationMonth,
      card.holderName,
      token.cardIsCurrent,
      token.notificationUrl,
      new Date(token.askAt ?? token.createdAt),
      token.version,
      token.sequence,
      new Date(token.createdAt),
    ],
  })
}

/**
 * Since when cards are being tested: the seller's requests with this BIN were declined `limit` times within a minute.
 * The oldest of those, or undefined when there are fewer.
 */
export async function testedSince(
  db: Db,
  { sellerId, bin }: { sellerId: number; bin: string },
  limit: number,
): Promise<Date | undefined> {
  const { rows } = await db.query<{ since: Date }>({
    name: 'tested-since',
    text: `SELECT updated_at AS since FROM network_tokens
      WHERE seller_id = $1 AND bin = $2 AND reason = 'ISSUER_DECLINED' AND updated_at > now() - interval '1 minute'
      ORDER BY updated_at DESC OFFSET $3 LIMIT 1`,
    values: [sellerId, bin, limit - 1],
  })
  return rows[0]?.since
}

/** Undefined also for another seller's. */
export async function findToken(db: Db, { sellerId, token }: TokenKey): Promise<NetworkToken | undefined> {
  const { rows } = await db.query<Row>({
    name: 'find-token',
    text: `SELECT ${COLUMNS} FROM network_tokens WHERE token = $1 AND seller_id = $2`,
    values: [token, sellerId],
  })
  return rows[0] && tokenOf(rows[0])
}

/** NOT_FOUND also for another seller's. */
export async function readToken(db: Db, key: TokenKey): Promise<NetworkToken> {
  const found = await findToken(db, key)
  if (!found) throw notFound()
  return found
}

const SAVE_TOKEN = `WITH saved AS (
    UPDATE network_tokens SET partner_id = $3, status = $4, reason = $5, last_four = $6, card_is_current = $7,
      dispatch_deadline = $8, cleanup = $9, ask_at = $10, version = $2, sequence = $11, updated_at = $12,
      asks = CASE WHEN status = $4 THEN asks ELSE 0 END
    WHERE token = $1 AND version = $2 - 1 RETURNING token),
  told AS (${appendToOutbox('$13', 'EXISTS (SELECT FROM saved)')})
  SELECT FROM saved`

/** Saves a decision with its event, in one statement. False, and nothing saved, when the token has changed since. */
export async function saveToken(db: Db, decision: Decision): Promise<boolean> {
  const { token } = decision
  const { rowCount } = await db.query({
    name: 'save-token',
    text: SAVE_TOKEN,
    values: [
      token.token,
      token.version,
      token.partnerId,
      token.status,
      token.reason,
      token.card.lastFour,
      token.cardIsCurrent,
      dateOf(token.dispatchDeadline),
      token.cleanup,
      dateOf(token.askAt),
      token.sequence,
      new Date(token.updatedAt),
      outboxRows(eventsOf(decision)),
    ],
  })
  return rowCount === 1
}

/** Locks the token, decides, and saves; an undecided one stays as it is. NOT_FOUND also for another seller's. */
export async function decideLocked(
  tx: PoolClient,
  key: TokenKey,
  decide: (token: NetworkToken) => Decision | undefined,
): Promise<NetworkToken> {
  // Two statements: what the second reads is what the one who held the lock has left.
  await tx.query('SELECT FROM network_tokens WHERE token = $1 AND seller_id = $2 FOR UPDATE', [
    key.token,
    key.sellerId,
  ])
  const before = await readToken(tx, key)
  const decision = decide(before)
  if (!decision) return before
  if (!(await saveToken(tx, decision))) throw new Error('a locked token changed')
  return decision.token
}

export function updateToken(
  pool: Pool,
  key: TokenKey,
  decide: (token: NetworkToken) => Decision | undefined,
): Promise<NetworkToken> {
  return withTransaction(pool, (tx) => decideLocked(tx, key, decide))
}

/**
 * Takes tokens whose time has come, for this caller alone until their next time: from `firstMs`, twice as long after
 * each asking, up to `maxMs`.
 */
export async function leaseTokens(
  pool: Pool,
  lease: { at: number; firstMs: number; maxMs: number; batch: number },
): Promise<TokenKey[]> {
  const { rows } = await pool.query<TokenKey>({
    name: 'lease-tokens',
    text: `UPDATE network_tokens SET asks = asks + 1,
        ask_at = $1::timestamptz + least($2 * power(2, least(asks + 1, 20)), $3) * interval '1 millisecond'
      WHERE token IN (SELECT token FROM network_tokens WHERE ask_at <= $1::timestamptz ORDER BY ask_at LIMIT $4
        FOR UPDATE SKIP LOCKED)
      RETURNING token, seller_id AS "sellerId"`,
    values: [new Date(lease.at), lease.firstMs, lease.maxMs, lease.batch],
  })
  return rows
}

/** Has a token looked at now. An answer that is on its way is dropped: it may be older than what we were told of. */
export async function lookAgain(
  pool: Pool,
  named: { reference: string } | { token: string },
): Promise<boolean> {
  const [column, value] = 'token' in named ? ['token', named.token] : ['reference', named.reference]
  const { rowCount } = await pool.query(
    `UPDATE network_tokens SET ask_at = now(), asks = 0, version = version + 1
     WHERE ${column} = $1 AND ask_at IS NOT NULL`,
    [value],
  )
  return rowCount === 1
}

/** Seconds since the oldest token was asked for that is pending still. */
export async function oldestPendingAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
     FROM network_tokens WHERE status = 'pending' AND ask_at IS NOT NULL`,
  )
  return rows[0].age
}

function dateOf(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs)
}

function tokenOf(row: Row): NetworkToken {
  const { bin, lastFour, brand, expirationYear, expirationMonth, holderName, ...rest } = row
  return {
    ...rest,

    card: { bin, lastFour, brand, expirationYear, expirationMonth, holderName },
    dispatchDeadline: row.dispatchDeadline?.getTime() ?? null,
    askAt: row.askAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}
