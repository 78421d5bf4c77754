import {
  assigned,
  changing,
  changingTime,
  fixed,
  fixedTime,
  table,
  type Row,
} from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { PixKey } from '../store/pix-account-store'
import type { PixPermission } from '../rules/permission'

/** The one place that names the columns of a permission. */
const COLUMNS = table<PixPermission>({
  id: assigned,
  sellerId: fixed,
  recurringInvoiceId: fixed,
  publicId: fixed,
  status: changing,
  account: fixed,
  receiver: fixed,
  firstCycle: fixed,
  firstDay: fixed,
  frequency: fixed,
  amount: fixed,
  payer: { prefix: 'payer_', fields: { name: fixed, document: fixed } },
  purpose: fixed,
  locationId: changing,
  recId: changing,
  copyAndPaste: changing,
  code: changing,
  endedBy: changing,
  cancelling: changing,
  askAt: changingTime,
  collectAt: changingTime,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

/** Permissions that a payer can give or has given. */
const OPEN = `t.status IN ('PENDING', 'CREATED', 'APPROVED')`

async function select(db: Db, what: string, condition: string, values: unknown[]): Promise<PixPermission[]> {
  const text = `SELECT row_to_json(t) AS row FROM pix_permissions t WHERE ${condition}`
  const { rows } = await db.query<{ row: Row }>({ name: `${what}-pix-permissions`, text, values })
  return rows.map(({ row }) => COLUMNS.fromRow(row))
}

export async function insertPermission(tx: Db, draft: Omit<PixPermission, 'id'>): Promise<PixPermission> {
  const { rows } = await tx.query<{ row: Row }>({
    name: 'insert-pix-permission',
    text: `INSERT INTO pix_permissions AS t (${COLUMNS.inserted()})
      SELECT ${COLUMNS.inserted('r')} FROM json_populate_record(null::pix_permissions, $1::json) r
      RETURNING row_to_json(t) AS row`,
    values: [JSON.stringify(COLUMNS.toRow({ ...draft, id: 0 }))],
  })
  if (!rows[0]) throw new Error('a permission was not made')
  return COLUMNS.fromRow(rows[0].row)
}

export async function findPermission(db: Db, id: number): Promise<PixPermission | undefined> {
  return (await select(db, 'find', 't.id = $1', [id]))[0]
}

/** The newest permission of a recurring invoice that the bank did not refuse. */
export async function latestPermission(
  db: Db,
  recurringInvoiceId: number,
): Promise<PixPermission | undefined> {
  const condition = `t.recurring_invoice_id = $1 AND t.status <> 'REFUSED' ORDER BY t.id DESC LIMIT 1`
  return (await select(db, 'latest', condition, [recurringInvoiceId]))[0]
}

/** The permission that a payer can give by scanning it, by its public id. */
export async function scannedPermission(db: Db, publicId: string): Promise<PixPermission | undefined> {
  return (
    await select(db, 'scanned', `t.public_id = $1 AND t.status = 'CREATED' AND NOT t.cancelling`, [publicId])
  )[0]
}

/** Locks the open permission of a recurring invoice. Who does has locked the recurring invoice. */
export async function lockOpenPermission(
  tx: Db,
  recurringInvoiceId: number,
): Promise<PixPermission | undefined> {
  return (
    await select(tx, 'lock-open', `t.recurring_invoice_id = $1 AND ${OPEN} FOR UPDATE`, [recurringInvoiceId])
  )[0]
}

/** Locks a permission. Who also locks its recurring invoice has locked that first. */
export async function lockPermission(tx: Db, id: number): Promise<PixPermission> {
  const [permission] = await select(tx, 'lock', 't.id = $1 FOR UPDATE', [id])
  if (!permission) throw new Error('a permission is gone')
  return permission
}

/** Saves a permission that the caller has locked. A new `askAt` means that the bank has answered. */
export async function savePermission(tx: Db, permission: PixPermission): Promise<void> {
  await tx.query({
    name: 'save-pix-permission',
    text: `UPDATE pix_permissions t
      SET asks = CASE WHEN r.ask_at IS DISTINCT FROM t.ask_at THEN 0 ELSE t.asks END, ${COLUMNS.updated('r')}
      FROM json_populate_record(null::pix_permissions, $1::json) r WHERE t.id = $2`,
    values: [JSON.stringify(COLUMNS.toRow(permission)), permission.id],
  })
}

/** Takes permissions that are due, for this caller alone until their next time. Returns their ids. */
export async function leasePermissions(pool: Pool, lease: Lease): Promise<number[]> {
  const due = { table: 'pix_permissions', key: 'id', returning: 'id' }
  return (await leaseDue<{ id: number }>(pool, due, lease)).map(({ id }) => id)
}

/** Has permissions of a key, or of another key of its seller, looked at as soon as possible. */
export async function lookAtPermissionsSoon(
  db: Db,
  { account, sellerId }: Pick<PixKey, 'account' | 'sellerId'>,
  { recIds, at }: { recIds: readonly string[]; at: number },
): Promise<void> {
  await db.query({
    name: 'look-at-pix-permissions-soon',
    text: `UPDATE pix_permissions SET ask_at = least(ask_at, $3), asks = 0
      WHERE (account = $1 OR seller_id = $4) AND rec_id = ANY($2) AND ask_at IS NOT NULL`,
    values: [account, recIds, new Date(at), sellerId],
  })
}

/** Has the open permission of a recurring invoice ended at the bank. `at`: epoch milliseconds. */
export async function endPermission(tx: Db, recurringInvoiceId: number, at: number): Promise<void> {
  await end(tx, { of: 'recurring-invoice', condition: 't.recurring_invoice_id = $1' }, recurringInvoiceId, at)
}

/** Has the open permissions of a deleted customer ended at the bank. `at`: epoch milliseconds. */
export async function endPermissionsOfCustomer(
  tx: Db,
  { customerId, at }: { customerId: number; at: number },
): Promise<void> {
  const condition = 't.recurring_invoice_id IN (SELECT id FROM recurring_invoices WHERE customer_id = $1)'
  await end(tx, { of: 'customer', condition }, customerId, at)
}

async function end(tx: Db, { of, condition }: { of: string; condition: string }, id: number, at: number) {
  await tx.query({
    name: `end-pix-permissions-of-${of}`,
    text: `UPDATE pix_permissions t SET cancelling = true, ask_at = $2, collect_at = NULL, updated_at = $2
      WHERE ${condition} AND ${OPEN}`,
    values: [id, new Date(at)],
  })
}

/** Has the invoices of recurring invoices with a permission collected, once their time comes. */
export async function collectSoon(tx: Db, recurringInvoiceIds: readonly number[], at: number): Promise<void> {
  await tx.query({
    name: 'collect-pix-soon',
    text: `UPDATE pix_permissions SET collect_at = $2
      WHERE recurring_invoice_id = ANY($1) AND status = 'APPROVED' AND NOT cancelling`,
    values: [recurringInvoiceIds, new Date(at)],
  })
}

export async function hasPermissions(db: Db, account: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    'SELECT EXISTS (SELECT FROM pix_permissions WHERE account = $1) AS has',
    [account],
  )
  return rows[0]?.has ?? false
}

/** The age in seconds, at a moment (epoch milliseconds), of the oldest permission that the bank has yet to make or end. */
export async function oldestPermissionAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - min(updated_at)), 0)::float8 AS age FROM pix_permissions
     WHERE ask_at IS NOT NULL AND (status = 'PENDING' OR cancelling)`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}
