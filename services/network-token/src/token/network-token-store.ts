import { databaseNow } from '@cofre/platform/service/database-clock'
import { aggregateStore, type Kind } from '@cofre/platform/postgres/aggregate-store'
import { changing, changingTime, fixed, fixedTime, table, type Row } from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { NetworkToken as Message } from '@cofre/proto/networktoken/v1/networktoken'
import type { Decision, NetworkToken } from './network-token'
import { eventsOf, toMessage } from './network-token-message'

export type TokenKey = { sellerId: number; token: string }

type Entity = { token: NetworkToken }

/** The only list of a token's columns; the statements below are built from it. */
const TOKENS = table<NetworkToken>({
  token: fixed,
  sellerId: fixed,
  merchantId: fixed,
  reference: fixed,
  partnerId: changing,
  status: changing,
  reason: changing,
  card: {
    fields: {
      bin: fixed,
      lastFour: changing,
      brand: fixed,
      expirationYear: fixed,
      expirationMonth: fixed,
      holderName: fixed,
    },
  },
  cardToken: fixed,
  cardIsCurrent: changing,
  notificationUrl: fixed,
  dispatchDeadline: changingTime,
  cleanup: changing,
  askAt: changingTime,
  version: changing,
  sequence: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export async function insertToken(tx: Db, token: NetworkToken): Promise<void> {
  await tx.query({
    name: 'insert-token',
    text: `INSERT INTO network_tokens (${TOKENS.inserted()})
      SELECT ${TOKENS.inserted('r')} FROM json_populate_record(null::network_tokens, $1::json) r`,
    values: [JSON.stringify(TOKENS.toRow(token))],
  })
}

/**
 * Returns since when cards are being tested: the oldest of the seller's last `limit` declines with this BIN. Undefined
 * when fewer fall in the minute before `at`. Our clock wrote those times, so our clock judges them.
 */
export async function testedSince(
  db: Db,
  { sellerId, bin, at }: { sellerId: number; bin: string; at: number },
  limit: number,
): Promise<Date | undefined> {
  const { rows } = await db.query<{ since: Date }>({
    name: 'tested-since',
    text: `SELECT updated_at AS since FROM network_tokens
      WHERE seller_id = $1 AND bin = $2 AND reason = 'ISSUER_DECLINED'
        AND updated_at > $4::timestamptz - interval '1 minute'
      ORDER BY updated_at DESC OFFSET $3 LIMIT 1`,
    values: [sellerId, bin, limit - 1, new Date(at)],
  })
  return rows[0]?.since
}

/** The newest ACTIVE token that was asked for with a stored card. */
export async function findTokenOfCard(
  db: Db,
  { sellerId, cardToken }: { sellerId: number; cardToken: string },
): Promise<NetworkToken | undefined> {
  const { rows } = await db.query<SelectedToken>({
    name: 'find-token-of-card',
    text: `SELECT row_to_json(t) AS row FROM network_tokens t
      WHERE seller_id = $1 AND card_token = $2 AND status = 'ACTIVE' ORDER BY created_at DESC LIMIT 1`,
    values: [sellerId, cardToken],
  })
  return rows[0] && tokenOf(rows[0])
}

export type SelectedToken = { row: Row }

/** A SELECT of listed tokens, whose table has the alias `t`. */
export const SELECT_LISTED = 'SELECT row_to_json(t) AS row FROM listed_network_tokens t'

export function tokenOf({ row }: SelectedToken): NetworkToken {
  return TOKENS.fromRow(row)
}

const TOKEN: Kind<TokenKey, NetworkToken, Entity, Entity, Decision, Message> = {
  name: 'network-token',
  table: 'network_tokens',
  id: 'token',
  columns: TOKENS,
  alsoSet: (valueOf) => `asks = CASE WHEN t.status = ${valueOf('status')} THEN t.asks ELSE 0 END`,
  select: 'SELECT row_to_json(t) AS row FROM network_tokens t',
  storedOf: (selected: SelectedToken) => ({ token: tokenOf(selected) }),
  valueOf: ({ token }) => token,
  message: Message,
  toMessage,
  eventsOf,
}

export const {
  find: findToken,
  read: readToken,
  save: saveToken,
  decideLocked,
  update: updateToken,
} = aggregateStore(TOKEN)

/** Leases the due tokens to this caller alone, until their next time. */
export function leaseTokens(pool: Pool, lease: Lease): Promise<TokenKey[]> {
  const returning = 'token, seller_id AS "sellerId"'
  return leaseDue(pool, { table: 'network_tokens', key: 'token', returning }, lease)
}

/** Keeps other processes from asking for these new tokens until a time in epoch milliseconds. */
export async function holdUnasked(pool: Pool, tokens: readonly string[], until: number): Promise<void> {
  await pool.query(
    `UPDATE network_tokens SET ask_at = $2
     WHERE token = ANY($1::text[]) AND status = 'PENDING' AND dispatch_deadline IS NULL`,
    [tokens, new Date(until)],
  )
}

/**
 * Makes a token due now, after an answer was dropped because the token had changed since the question. A token with
 * nothing left to do is not asked about again.
 */
export async function askSoon(pool: Pool, { token }: TokenKey): Promise<void> {
  await pool.query(
    'UPDATE network_tokens SET ask_at = least(ask_at, $2) WHERE token = $1 AND ask_at IS NOT NULL',
    [token, new Date(databaseNow())],
  )
}

/** Makes a token due now. An answer on its way is dropped: it may be older than the change that we learned of. */
export async function lookAgain(
  pool: Pool,
  named: { reference: string } | { token: string },
): Promise<boolean> {
  const [column, value] = 'token' in named ? ['token', named.token] : ['reference', named.reference]
  const { rowCount } = await pool.query(
    `UPDATE network_tokens SET ask_at = $2, asks = 0, version = version + 1
     WHERE ${column} = $1 AND ask_at IS NOT NULL`,
    [value, new Date(databaseNow())],
  )
  return rowCount === 1
}

/** Seconds since the oldest pending token was requested. */
export async function oldestPendingAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT coalesce(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS age
     FROM network_tokens WHERE status = 'PENDING' AND ask_at IS NOT NULL`,
    [new Date(databaseNow())],
  )
  return rows[0].age
}
