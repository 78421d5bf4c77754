import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Account } from '../acquirer/acquirer'
import type { AcquirerName } from '../acquirer/acquirer-name'

/** An account whose cases are asked for. `leasedUntil`: no other process takes it until then. */
export type DisputeAccount = {
  establishmentId: number
  acquirer: AcquirerName
  account: Account
  establishmentNumber: string
  leasedUntil: number
}

type Row = Omit<DisputeAccount, 'account' | 'leasedUntil'> & Account

const COLUMNS = `id AS "establishmentId", acquirer, seller_id AS "sellerId", merchant_id AS "merchantId",
  establishment_number AS "establishmentNumber"`

function accountOf({ sellerId, merchantId, ...row }: Row, leasedUntil: number): DisputeAccount {
  return { ...row, account: { sellerId, merchantId }, leasedUntil }
}

/** Takes accounts whose cases are due, the longest due first, for this caller alone until `until`. */
export async function leaseAccounts(
  pool: Pool,
  { at, until, batch }: { at: number; until: number; batch: number },
): Promise<DisputeAccount[]> {
  const { rows } = await pool.query<Row>(
    `UPDATE establishments SET disputes_ask_at = $2, disputes_taken_at = $1
     WHERE id IN (SELECT id FROM establishments WHERE disputes_ask_at <= $1 ORDER BY disputes_ask_at LIMIT $3
       FOR UPDATE SKIP LOCKED)
     RETURNING ${COLUMNS}`,
    [new Date(at), new Date(until), batch],
  )
  return rows.map((row) => accountOf(row, until))
}

/** The accounts by which cases of a seller's account at the acquirer are filed, with when they were last read whole. */
export async function accountsOf(
  db: Db,
  { sellerId, merchantId }: Account,
): Promise<(DisputeAccount & { askedAt: number })[]> {
  const { rows } = await db.query<Row & { askedAt: Date | null }>(
    `SELECT ${COLUMNS}, disputes_asked_at AS "askedAt" FROM establishments
     WHERE seller_id = $1 AND merchant_id = $2 AND establishment_number IS NOT NULL`,
    [sellerId, merchantId],
  )
  return rows.map(({ askedAt, ...row }) => ({ ...accountOf(row, 0), askedAt: askedAt?.getTime() ?? 0 }))
}

/** All cases were read, from `at` on. A hint that came meanwhile keeps its own time. */
export async function noteAsked(
  db: Db,
  { establishmentId, leasedUntil }: Pick<DisputeAccount, 'establishmentId' | 'leasedUntil'>,
  { at, nextAt }: { at: number; nextAt: number },
): Promise<void> {
  await db.query(
    `UPDATE establishments SET disputes_asked_at = greatest(disputes_asked_at, $2::timestamptz),
       disputes_ask_at = CASE WHEN disputes_ask_at = $4 THEN $3 ELSE disputes_ask_at END
     WHERE id = $1`,
    [establishmentId, new Date(at), new Date(nextAt), new Date(leasedUntil)],
  )
}

/** The cases were not read whole. A hint that came meanwhile keeps its own time. */
export async function askLater(
  db: Db,
  { establishmentId, leasedUntil }: Pick<DisputeAccount, 'establishmentId' | 'leasedUntil'>,
  at: number,
): Promise<void> {
  await db.query('UPDATE establishments SET disputes_ask_at = $2 WHERE id = $1 AND disputes_ask_at = $3', [
    establishmentId,
    new Date(at),
    new Date(leasedUntil),
  ])
}

/** News of an account: it is due at once, but at most every ten seconds. Does nothing for a number that nobody has. */
export async function hastenAccount(db: Db, establishmentNumber: string, at: number): Promise<void> {
  await db.query(
    `UPDATE establishments
     SET disputes_ask_at = least(disputes_ask_at, greatest($2::timestamptz, disputes_taken_at + interval '10 seconds'))
     WHERE establishment_number = $1`,
    [establishmentNumber, new Date(at)],
  )
}

/** For how long the account that waits longest has not been read whole, in seconds. */
export async function oldestAccountAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT coalesce(extract(epoch FROM $1::timestamptz - min(coalesce(disputes_asked_at, created_at))), 0)::float8 AS age
     FROM establishments WHERE establishment_number IS NOT NULL`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}
