import type { Db } from '@cofre/platform/postgres/postgres'
import type { SealedTable } from '../keys/reseal-store'

/** Identifies an account by its seller, its partner, and its name there. */
export type AccountKey = { sellerId: number; partner: string; name: string }

/** An account as stored, its credentials sealed. */
export type SealedAccount = AccountKey & { sealed: Buffer; dataKeyId: string }
export type StoredAccount = SealedAccount & { id: number }

/** A breach of this constraint means that the data key was destroyed meanwhile. */
export const ACCOUNT_KEY_CONSTRAINT = 'accounts_data_key'

const COLUMNS = `id, seller_id AS "sellerId", partner, name, sealed, data_key_id AS "dataKeyId"`

export const SEALED_ACCOUNTS: SealedTable = { name: 'accounts', columns: COLUMNS, sealed: 'sealed' }

/** Saves an account. `replace`: overwrites an account of that name; otherwise the existing one stays. */
export async function saveAccount(
  db: Db,
  { sellerId, partner, name, sealed, dataKeyId }: SealedAccount,
  { preference, replace }: { preference: number | null; replace: boolean },
): Promise<void> {
  await db.query(
    `INSERT INTO accounts (seller_id, partner, name, preference, sealed, data_key_id) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT accounts_name DO UPDATE
       SET preference = excluded.preference, sealed = excluded.sealed, data_key_id = excluded.data_key_id,
         updated_at = now()
       WHERE $7`,
    [sellerId, partner, name, preference, sealed, dataKeyId, replace],
  )
}

/** Returns a seller's accounts, sorted by partner and name. `updatedAt`: epoch milliseconds. */
export async function listAccounts(
  db: Db,
  sellerId: number,
  limit: number,
): Promise<(StoredAccount & { updatedAt: number })[]> {
  const { rows } = await db.query<StoredAccount & { updatedAt: number }>(
    `SELECT ${COLUMNS}, floor(extract(epoch FROM updated_at) * 1000)::bigint AS "updatedAt" FROM accounts
     WHERE seller_id = $1 ORDER BY partner, name LIMIT $2`,
    [sellerId, limit],
  )
  return rows
}

/** Finds the account of that name; an empty name means the seller's default account at the partner. */
export async function findAccount(db: Db, key: AccountKey): Promise<StoredAccount | undefined> {
  const { rows } = await db.query<StoredAccount>({
    name: 'find-account',
    text: `SELECT ${COLUMNS} FROM accounts
      WHERE seller_id = $1 AND partner = $2 AND CASE WHEN $3 = '' THEN preference IS NOT NULL ELSE name = $3 END
      ORDER BY preference, id LIMIT 1`,
    values: [key.sellerId, key.partner, key.name],
  })
  return rows[0]
}
