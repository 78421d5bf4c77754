import { notFound } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import { fixed, fixedTime, changing, changingTime, table, type Row } from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { activeEvent } from './token-message'
import type { VoucherToken } from './voucher-token'

export type TokenKey = { sellerId: number; token: string }

/** The one place that names the columns of a token. */
const TOKENS = table<VoucherToken>({
  token: fixed,
  sellerId: fixed,
  cardType: fixed,
  brand: fixed,
  status: changing,
  bin: changing,
  lastFour: changing,
  sequence: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

/** A number that the vault is about to keep is destroyed after so long, unless its token is saved. */
const UNSAVED_MS = 3_600_000

/** Notes, before the vault keeps a number, that it is to be destroyed should its token not be saved. */
export async function discardUnlessSaved(db: Db, { sellerId, token }: TokenKey, at: number): Promise<void> {
  await db.query('INSERT INTO discarded_vouchers (token, seller_id, ask_at) VALUES ($1, $2, $3)', [
    token,
    sellerId,
    new Date(at + UNSAVED_MS),
  ])
}

/** Saves a new token with its event. Throws when its number is being destroyed: the caller took over an hour. */
export async function insertToken(tx: Db, token: VoucherToken): Promise<void> {
  const { rowCount } = await tx.query(
    `WITH kept AS (DELETE FROM discarded_vouchers WHERE token = $1 RETURNING token),
       saved AS (
         INSERT INTO voucher_tokens (${TOKENS.inserted()})
         SELECT ${TOKENS.inserted('r')} FROM kept, json_populate_record(null::voucher_tokens, $2::json) r RETURNING token),
       told AS (${appendToOutbox('$3', 'EXISTS (SELECT FROM saved)')})
     SELECT FROM saved`,
    [token.token, JSON.stringify(TOKENS.toRow(token)), outboxRows([activeEvent(token)])],
  )
  if (rowCount !== 1) throw new Error('the number of a new token is gone')
}

/** NOT_FOUND also for another seller's. */
export async function readToken(db: Db, { sellerId, token }: TokenKey): Promise<VoucherToken> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-voucher-token',
    text: 'SELECT row_to_json(t) AS row FROM voucher_tokens t WHERE token = $1 AND seller_id = $2',
    values: [token, sellerId],
  })
  if (!rows[0]) throw notFound()
  return TOKENS.fromRow(rows[0].row)
}

/** Deletes a token and has its number destroyed. False when the seller has no such token. */
export async function deleteToken(db: Db, { sellerId, token }: TokenKey, at: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH deleted AS (DELETE FROM voucher_tokens WHERE token = $1 AND seller_id = $2 RETURNING token, seller_id)
     INSERT INTO discarded_vouchers (token, seller_id, ask_at) SELECT token, seller_id, $3 FROM deleted`,
    [token, sellerId, new Date(at)],
  )
  return rowCount === 1
}

/** Takes discarded tokens whose time has come, for this caller alone until their next time. */
export function leaseDiscarded(pool: Pool, lease: Lease): Promise<TokenKey[]> {
  const what = { table: 'discarded_vouchers', key: 'token', returning: 'token, seller_id AS "sellerId"' }
  return leaseDue(pool, what, lease)
}

/** The vault has destroyed what it kept with a token. A token that was saved meanwhile has no row here. */
export async function forgetDiscarded(db: Db, { token }: TokenKey): Promise<void> {
  await db.query('DELETE FROM discarded_vouchers WHERE token = $1', [token])
}
