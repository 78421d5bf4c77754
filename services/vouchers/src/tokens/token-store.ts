import { notFound } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import { changing, changingTime, fixed, fixedTime, table, type Row } from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import { eventsOf } from './token-message'
import type { TokenDecision, VoucherToken } from './voucher-token'

export type TokenKey = { sellerId: number; token: string }

/** The one place that names the columns of a token. */
const TOKENS = table<VoucherToken>({
  token: fixed,
  sellerId: fixed,
  cardType: fixed,
  brand: fixed,
  status: changing,
  reason: changing,
  bin: changing,
  lastFour: changing,
  redirect: {
    fields: {
      notificationUrl: fixed,
      cardReference: fixed,
      clientId: fixed,
      phase: changing,
      codeHash: changing,
      codeVerifier: changing,
      expiresAt: changingTime,
      askAt: changingTime,
      issuerCardId: changing,
      accessExpiresAt: changingTime,
    },
  },
  version: changing,
  sequence: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

/** A number that the vault is about to keep is destroyed after this time, unless its token is saved. */
const UNSAVED_MS = 3_600_000

/** Notes, before the vault keeps a number, that the number must be destroyed unless its token is saved. */
export async function discardUnlessSaved(db: Db, { sellerId, token }: TokenKey, at: number): Promise<void> {
  await db.query('INSERT INTO discarded_vouchers (token, seller_id, ask_at) VALUES ($1, $2, $3)', [
    token,
    sellerId,
    new Date(at + UNSAVED_MS),
  ])
}

/** Saves a new token with its event. Throws when its number is being destroyed: the caller took over an hour. */
export async function insertToken(tx: Db, decision: Pick<TokenDecision, 'token' | 'event'>): Promise<void> {
  const { token } = decision
  const { rowCount } = await tx.query(
    `WITH kept AS (DELETE FROM discarded_vouchers WHERE token = $1 RETURNING token),
       saved AS (
         INSERT INTO voucher_tokens (${TOKENS.inserted()})
         SELECT ${TOKENS.inserted('r')} FROM kept, json_populate_record(null::voucher_tokens, $2::json) r RETURNING token),
       appended AS (${appendToOutbox('$3', 'EXISTS (SELECT FROM saved)')})
     SELECT FROM saved`,
    [token.token, JSON.stringify(TOKENS.toRow(token)), outboxRows(eventsOf(decision))],
  )
  if (rowCount !== 1) throw new Error('the number of a new token is gone')
}

/** Saves a new token that its holder has yet to authorize. */
export async function insertPendingToken(tx: Db, token: VoucherToken): Promise<void> {
  await tx.query(
    `INSERT INTO voucher_tokens (${TOKENS.inserted()})
     SELECT ${TOKENS.inserted('r')} FROM json_populate_record(null::voucher_tokens, $1::json) r`,
    [JSON.stringify(TOKENS.toRow(token))],
  )
}

/** Throws NOT_FOUND, also for another seller's token. */
export async function readToken(db: Db, key: TokenKey): Promise<VoucherToken> {
  const token = await findToken(db, key)
  if (!token) throw notFound()
  return token
}

export async function findToken(db: Db, { sellerId, token }: TokenKey): Promise<VoucherToken | undefined> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-voucher-token',
    text: 'SELECT row_to_json(t) AS row FROM voucher_tokens t WHERE token = $1 AND seller_id = $2',
    values: [token, sellerId],
  })
  return rows[0] && TOKENS.fromRow(rows[0].row)
}

/**
 * Locks the token, decides, and saves it with its event, in one transaction. Returns undefined, and saves nothing, when
 * the decision is undefined or the token is deleted. A token that comes to nothing is discarded at the same time.
 */
export async function updateToken(
  pool: Pool,
  key: TokenKey,
  decide: (token: VoucherToken) => TokenDecision | undefined,
): Promise<VoucherToken | undefined> {
  return withTransaction(pool, async (tx) => {
    // Two statements: the second reads the token as the last holder of the lock left it.
    await tx.query('SELECT FROM voucher_tokens WHERE token = $1 AND seller_id = $2 FOR UPDATE', [
      key.token,
      key.sellerId,
    ])
    const token = await findToken(tx, key)
    const decision = token && decide(token)
    if (decision) await saveLocked(tx, decision)
    return decision?.token
  })
}

async function saveLocked(tx: PoolClient, decision: TokenDecision): Promise<void> {
  const { token, discard } = decision
  await tx.query(
    `WITH saved AS (
       UPDATE voucher_tokens t SET ${TOKENS.updated('r')}, asks = CASE WHEN r.ask_at IS NULL THEN 0 ELSE t.asks END
       FROM json_populate_record(null::voucher_tokens, $1::json) r WHERE t.token = $2 RETURNING t.token)
     ${appendToOutbox('$3', 'EXISTS (SELECT FROM saved)')}`,
    [JSON.stringify(TOKENS.toRow(token)), token.token, outboxRows(eventsOf(decision))],
  )
  if (discard) await discardNow(tx, token, token.updatedAt)
}

async function discardNow(
  db: Db,
  { token, sellerId, brand, redirect }: VoucherToken,
  at: number,
): Promise<void> {
  await db.query(
    `INSERT INTO discarded_vouchers (token, seller_id, ask_at, brand, client_id, code_verifier)
     VALUES ($1, $2, greatest($3, (SELECT renewing_until FROM voucher_tokens WHERE token = $1)), $4, $5, $6)
     ON CONFLICT (token) DO NOTHING`,
    [
      token,
      sellerId,
      new Date(at),
      redirect ? brand : null,
      redirect?.clientId ?? null,
      redirect?.codeVerifier ?? null,
    ],
  )
}

/**
 * Deletes a token and has its data destroyed: now, or once nobody can exchange its code or renew its grant.
 * Returns false when the seller has no such token.
 */
export async function deleteToken(db: Db, { sellerId, token }: TokenKey, at: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH deleted AS (
       DELETE FROM voucher_tokens WHERE token = $1 AND seller_id = $2
       RETURNING token, seller_id, brand, client_id, code_verifier,
         greatest($3, renewing_until, CASE phase WHEN 'CODE' THEN ask_at END) AS ask_at),
     discarded AS (
       INSERT INTO discarded_vouchers (token, seller_id, ask_at, brand, client_id, code_verifier)
       SELECT token, seller_id, ask_at, CASE WHEN client_id IS NOT NULL THEN brand END, client_id, code_verifier FROM deleted
       ON CONFLICT (token) DO NOTHING)
     SELECT FROM deleted`,
    [token, sellerId, new Date(at)],
  )
  return rowCount === 1
}

/** Leases redirect tokens that are due: no other caller takes them until their next time. */
export function leaseTokens(pool: Pool, lease: Lease): Promise<TokenKey[]> {
  const what = { table: 'voucher_tokens', key: 'token', returning: 'token, seller_id AS "sellerId"' }
  return leaseDue(pool, what, lease)
}

/**
 * Leases the renewal of an access token for `forMs` by the database's clock, and returns the mark of its owner.
 * Undefined when another process is renewing it, or when it is no longer the one that ends at `accessExpiresAt`.
 */
export async function leaseRenewal(
  db: Db,
  { token }: TokenKey,
  accessExpiresAt: number | null,
  forMs: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ mark: string }>(
    `UPDATE voucher_tokens SET renewing_until = now() + $3 * interval '1 millisecond'
     WHERE token = $1 AND (status = 'ACTIVE' OR phase = 'CARD') AND date_trunc('milliseconds', access_expires_at) IS NOT DISTINCT FROM $2
       AND (renewing_until IS NULL OR renewing_until < now())
     RETURNING renewing_until::text AS mark`,
    [token, timeOf(accessExpiresAt), forMs],
  )
  return rows[0]?.mark
}

/**
 * Ends a renewal. Returns undefined, and saves nothing, when another process has taken it over. `accessExpiresAt`: null
 * when the renewal failed.
 */
export async function endRenewal(
  db: Db,
  { token }: TokenKey,
  mark: string,
  accessExpiresAt: number | null,
): Promise<VoucherToken | undefined> {
  const { rows } = await db.query<{ row: Row }>(
    `UPDATE voucher_tokens t SET renewing_until = NULL, access_expires_at = coalesce($3, access_expires_at)
     WHERE token = $1 AND renewing_until = $2::timestamptz RETURNING row_to_json(t) AS row`,
    [token, mark, timeOf(accessExpiresAt)],
  )
  return rows[0] && TOKENS.fromRow(rows[0].row)
}

function timeOf(time: number | null): Date | null {
  return time === null ? null : new Date(time)
}

/** A token whose data must be destroyed. `brand`, `clientId`: set when it may have a grant at an identity provider. */
export type Discarded = TokenKey & {
  brand: string | null
  clientId: string | null
  codeVerifier: string | null
}

const DISCARDED =
  'token, seller_id AS "sellerId", brand, client_id AS "clientId", code_verifier AS "codeVerifier"'

/** Leases discarded tokens that are due: no other caller takes them until their next time. */
export function leaseDiscarded(pool: Pool, lease: Lease): Promise<Discarded[]> {
  return leaseDue(pool, { table: 'discarded_vouchers', key: 'token', returning: DISCARDED }, lease)
}

/** Returns undefined for a token that is not due. */
export async function findDiscarded(db: Db, { token }: TokenKey, at: number): Promise<Discarded | undefined> {
  const { rows } = await db.query<Discarded>(
    `SELECT ${DISCARDED} FROM discarded_vouchers WHERE token = $1 AND ask_at <= $2`,
    [token, new Date(at)],
  )
  return rows[0]
}

/** Deletes the note of a token whose data the vault has destroyed. */
export async function forgetDiscarded(db: Db, { token }: TokenKey): Promise<void> {
  await db.query('DELETE FROM discarded_vouchers WHERE token = $1', [token])
}
