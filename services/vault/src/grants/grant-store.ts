import type { Db } from '@cofre/platform/postgres/postgres'
import type { SealedTable } from '../keys/reseal-store'

/** Identifies a grant by its seller and its voucher token. */
export type GrantKey = { sellerId: number; voucherToken: string }

/** A grant as stored, sealed. `version` grows by one with each replacement. */
export type SealedGrant = GrantKey & { sealed: Buffer; dataKeyId: string }
export type StoredGrant = SealedGrant & { id: number; version: number }

/** A breach of this constraint means that the data key was destroyed meanwhile. */
export const GRANT_KEY_CONSTRAINT = 'grants_data_key'

const COLUMNS = `id, seller_id AS "sellerId", voucher_token AS "voucherToken", sealed, data_key_id AS "dataKeyId", version`

export const SEALED_GRANTS: SealedTable = { name: 'grants', columns: COLUMNS, sealed: 'sealed' }

/** Inserts a grant. Returns false, with nothing changed, when the voucher token has one already. */
export async function insertGrant(db: Db, grant: SealedGrant): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO grants (seller_id, voucher_token, sealed, data_key_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT grants_voucher_token DO NOTHING`,
    [grant.sellerId, grant.voucherToken, grant.sealed, grant.dataKeyId],
  )
  return rowCount === 1
}

export async function findGrant(db: Db, key: GrantKey): Promise<StoredGrant | undefined> {
  const { rows } = await db.query<StoredGrant>({
    name: 'find-grant',
    text: `SELECT ${COLUMNS} FROM grants WHERE seller_id = $1 AND voucher_token = $2`,
    values: [key.sellerId, key.voucherToken],
  })
  return rows[0]
}

/** Replaces the grant of `version`. Returns false, with nothing changed, when it was replaced or destroyed. */
export async function replaceGrant(db: Db, grant: SealedGrant, version: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE grants SET sealed = $3, data_key_id = $4, version = version + 1, updated_at = now()
     WHERE seller_id = $1 AND voucher_token = $2 AND version = $5`,
    [grant.sellerId, grant.voucherToken, grant.sealed, grant.dataKeyId, version],
  )
  return rowCount === 1
}

export async function deleteGrant(db: Db, key: GrantKey): Promise<void> {
  await db.query('DELETE FROM grants WHERE seller_id = $1 AND voucher_token = $2', [
    key.sellerId,
    key.voucherToken,
  ])
}
