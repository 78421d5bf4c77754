import type { Db } from '@cofre/platform/postgres/postgres'
import type { SealedTable } from '../keys/reseal-store'

/** Identifies an account by its seller, its partner, and its name there. */
export type AccountKey = { sellerId: number; partner: string; name: string }

/** An account as stored, its credentials sealed. */
export type SealedAccount = AccountKey & { sealed: Buffer; dataKeyId: string }
export type StoredAccount = SealedAccount & { id: number; version: number }

/** A breach of this constraint means that the data key was destroyed meanwhile. */
export const ACCOUNT_KEY_CONSTRAINT = 'accounts_data_key'

/** A breach of this index means that another seller has the agreement with the bank, or the Pix key. */
export const AGREEMENT_INDEX = 'accounts_agreement'

const COLUMNS = `id, seller_id AS "sellerId", partner, name, sealed, data_key_id AS "dataKeyId", version`

export const SEALED_ACCOUNTS: SealedTable = { name: 'accounts', columns: COLUMNS, sealed: 'sealed' }

/** Saves an account, or replaces the one of that name. `expiresAt`: when its client certificate expires. */
export async function saveAccount(
  db: Db,
  { sellerId, partner, name, sealed, dataKeyId }: SealedAccount,
  { preference, expiresAt }: { preference: number | null; expiresAt: number | undefined },
): Promise<void> {
  await db.query(
    `INSERT INTO accounts (seller_id, partner, name, preference, sealed, data_key_id, certificate_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000))
     ON CONFLICT ON CONSTRAINT accounts_name DO UPDATE
       SET preference = excluded.preference, sealed = excluded.sealed, data_key_id = excluded.data_key_id,
         certificate_expires_at = excluded.certificate_expires_at, version = accounts.version + 1,
         updated_at = now()`,
    [sellerId, partner, name, preference, sealed, dataKeyId, expiresAt ?? null],
  )
}

/** Returns false when there is no such account. */
export async function deleteAccount(db: Db, { sellerId, partner, name }: AccountKey): Promise<boolean> {
  const { rowCount } = await db.query(
    'DELETE FROM accounts WHERE seller_id = $1 AND partner = $2 AND name = $3',
    [sellerId, partner, name],
  )
  return rowCount === 1
}

/** An account and its times, epoch milliseconds. */
type ListedRow = StoredAccount & { updatedAt: number; certificateExpiresAt: number | null }

/** Returns a seller's accounts, sorted by partner and name. */
export async function listAccounts(db: Db, sellerId: number, limit: number): Promise<ListedRow[]> {
  const { rows } = await db.query<ListedRow>(
    `SELECT ${COLUMNS}, floor(extract(epoch FROM updated_at) * 1000)::bigint AS "updatedAt",
       floor(extract(epoch FROM certificate_expires_at) * 1000)::bigint AS "certificateExpiresAt" FROM accounts
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

/** For each partner, when the first client certificate of its accounts expires, in seconds since 1970. */
export async function firstExpiries(db: Db): Promise<{ partner: string; expiresAt: number }[]> {
  const { rows } = await db.query<{ partner: string; expiresAt: number }>(
    `SELECT partner, floor(extract(epoch FROM min(certificate_expires_at)))::bigint AS "expiresAt" FROM accounts
     WHERE certificate_expires_at IS NOT NULL GROUP BY partner`,
  )
  return rows
}
