import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { newPublicId } from '../../catalog/public-id'

/**
 * A seller's Pix key. `token`: the secret part of the address that the bank calls. `usedSince`: when its first charge was
 * made. Epoch milliseconds.
 */
export type PixKey = {
  account: string
  sellerId: number
  token: string
  usedSince: number
  knownUntil: number
}

const COLUMNS = `account, seller_id AS "sellerId", token,
  (extract(epoch FROM used_since) * 1000)::float8 AS "usedSince",
  (extract(epoch FROM known_until) * 1000)::float8 AS "knownUntil"`

/** Keeps a key from its first charge on: its webhook is registered soon. */
export async function keepKey(
  tx: Db,
  { account, sellerId, at }: { account: string; sellerId: number; at: number },
): Promise<void> {
  await tx.query({
    name: 'keep-pix-key',
    text: `INSERT INTO pix_accounts AS a (account, seller_id, token, used_since, known_until, ask_at)
      VALUES ($1, $2, $3, $4, $4, $4)
      ON CONFLICT (account) DO UPDATE SET seller_id = EXCLUDED.seller_id WHERE a.seller_id <> EXCLUDED.seller_id`,
    values: [account, sellerId, `${newPublicId()}${newPublicId()}`, new Date(at)],
  })
}

export async function findKeyOfToken(db: Db, token: string): Promise<PixKey | undefined> {
  const { rows } = await db.query<PixKey>({
    name: 'find-pix-key-of-token',
    text: `SELECT ${COLUMNS} FROM pix_accounts WHERE token = $1`,
    values: [token],
  })
  return rows[0]
}

export async function findKey(db: Db, account: string): Promise<PixKey | undefined> {
  const { rows } = await db.query<PixKey>(`SELECT ${COLUMNS} FROM pix_accounts WHERE account = $1`, [account])
  return rows[0]
}

/** The secret parts of the addresses of all keys of a seller. */
export async function tokensOfSeller(db: Db, sellerId: number): Promise<string[]> {
  const { rows } = await db.query<{ token: string }>(
    'SELECT token FROM pix_accounts WHERE seller_id = $1 ORDER BY account LIMIT 1000',
    [sellerId],
  )
  return rows.map(({ token }) => token)
}

/** The seller of a key. Null when Cofre has made no charge with it. */
export async function findSellerOfKey(db: Db, account: string): Promise<number | null> {
  const { rows } = await db.query<{ sellerId: number }>(
    'SELECT seller_id AS "sellerId" FROM pix_accounts WHERE account = $1',
    [account],
  )
  return rows[0]?.sellerId ?? null
}

/** Takes keys that are due, for this caller alone until their next time. */
export function leaseKeys(pool: Pool, lease: Lease): Promise<PixKey[]> {
  return leaseDue<PixKey>(pool, { table: 'pix_accounts', key: 'account', returning: COLUMNS }, lease)
}

/** Has a key looked at as soon as possible. */
export async function lookAtKeySoon(db: Db, account: string, at: number): Promise<void> {
  await db.query({
    name: 'look-at-pix-key-soon',
    text: 'UPDATE pix_accounts SET ask_at = least(ask_at, $2), asks = 0 WHERE account = $1',
    values: [account, new Date(at)],
  })
}

/** Notes how far it is known what a key received, and when it is looked at next. Epoch milliseconds. */
export async function noteKnown(
  db: Db,
  account: string,
  { knownUntil, askAt }: { knownUntil: number; askAt: number },
): Promise<void> {
  await db.query({
    name: 'note-pix-known',
    // Asked to look soon since this look began: `asks` is 0, and that time holds.
    text: `UPDATE pix_accounts SET known_until = $2, ask_at = CASE WHEN asks = 0 THEN ask_at ELSE $3 END, asks = 0
      WHERE account = $1`,
    values: [account, new Date(knownUntil), new Date(askAt)],
  })
}
