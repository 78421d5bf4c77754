import { moneyWaits } from '../../invoice/store/past-due-store'
import type { Db } from '@cofre/platform/postgres/postgres'
import type {
  AutomaticChargeStatus,
  Invoice,
  InvoiceStatus,
  PrintedCustomer,
} from '../../invoice/rules/invoice'
import { firstReminder, type PlannedReminder } from './reminder'

/** An invoice whose customer is to be reminded. `passed`: how many reminders came before. */
export type DueReminder = {
  id: number
  sellerId: number
  customer: PrintedCustomer
  status: InvoiceStatus
  dueDate: number
  passed: number
  /** The status of the automatic charge. Null when the invoice has none. */
  automatic: AutomaticChargeStatus | null
  /** Money of it waits for a person. */
  moneyWaits: boolean
  /** The bank may still report that a slip was paid in time. */
  bankReports: boolean
  /** Its recurring invoice is paused: nothing is collected. */
  isPaused: boolean
  /** The payer's bank is to pay it by Pix Automático. */
  isCollected: boolean
  /** There is a card that may be charged. */
  hasCard: boolean
}

/** Plans the reminders of new invoices, in the transaction that makes them. */
export async function planReminders(
  tx: Db,
  invoices: readonly Pick<Invoice, 'id' | 'dueDate' | 'createdAt'>[],
  reminderDays: readonly number[],
): Promise<void> {
  const planned = invoices.flatMap((invoice) => {
    const first = firstReminder(invoice, reminderDays)
    return first ? [{ invoiceId: invoice.id, ...first }] : []
  })
  if (planned.length === 0) return
  await tx.query({
    name: 'plan-reminders',
    text: `INSERT INTO reminders (invoice_id, passed, remind_at)
      SELECT * FROM unnest($1::bigint[], $2::int[], $3::timestamptz[]) ON CONFLICT DO NOTHING`,
    values: [
      planned.map(({ invoiceId }) => invoiceId),
      planned.map(({ passed }) => passed),
      planned.map(({ remindAt }) => new Date(remindAt)),
    ],
  })
}

/** Takes reminders that are due at a moment (epoch milliseconds), each for this caller alone until its commit. */
export async function takeDueReminders(tx: Db, at: number, batch: number): Promise<DueReminder[]> {
  const { rows: locked } = await tx.query<{ id: number }>({
    name: 'lock-due-reminders',
    text: `SELECT invoice_id AS id FROM reminders WHERE remind_at <= $1 ORDER BY remind_at, invoice_id LIMIT $2
      FOR UPDATE SKIP LOCKED`,
    values: [new Date(at), batch],
  })
  if (locked.length === 0) return []
  const { rows } = await tx.query<DueReminder & { dueDate: Date }>({
    name: 'read-due-reminders',
    text: `SELECT i.id, i.seller_id AS "sellerId", i.status, i.due_date AS "dueDate", m.passed, a.status AS automatic,
        json_build_object('id', i.customer_id, 'name', i.customer_name, 'document', i.customer_document,
          'email', i.customer_email) AS customer,
        coalesce(r.card_id, c.kept_card_id) IS NOT NULL AS "hasCard", ${moneyWaits('$2::timestamptz', 'i.id')} AS "moneyWaits",
        r.status IS NOT DISTINCT FROM 'PAUSED' AS "isPaused",
        EXISTS (SELECT FROM late_notices l WHERE l.invoice_id = i.id) AS "bankReports",
        EXISTS (SELECT FROM pix_charges p WHERE p.invoice_id = i.id AND p.collection_rec_id IS NOT NULL
          AND p.status IN ('PENDING', 'REGISTERED')) AS "isCollected"
      FROM reminders m JOIN invoices i ON i.id = m.invoice_id
        LEFT JOIN automatic_charges a ON a.invoice_id = i.id
        LEFT JOIN recurring_invoices r ON r.id = i.recurring_invoice_id
        LEFT JOIN customers c ON c.id = i.customer_id AND c.seller_id = i.seller_id
      WHERE m.invoice_id = ANY($1) AND m.remind_at <= $2 ORDER BY m.remind_at, m.invoice_id`,
    values: [locked.map(({ id }) => id), new Date(at)],
  })
  return rows.map((row) => ({ ...row, dueDate: row.dueDate.getTime() }))
}

/** Sets the next reminder of an invoice. Undefined ends its reminders. */
export async function moveReminder(
  tx: Db,
  invoiceId: number,
  next: PlannedReminder | undefined,
): Promise<void> {
  if (!next) {
    await tx.query({
      name: 'end-reminders',
      text: 'DELETE FROM reminders WHERE invoice_id = $1',
      values: [invoiceId],
    })
    return
  }
  await tx.query({
    name: 'move-reminder',
    text: 'UPDATE reminders SET passed = $2, remind_at = $3 WHERE invoice_id = $1',
    values: [invoiceId, next.passed, new Date(next.remindAt)],
  })
}

/** When the next reminder is due, epoch milliseconds. Undefined when none is planned. */
export async function nextReminderDueAt(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'next-reminder-due',
    text: 'SELECT remind_at AS at FROM reminders ORDER BY remind_at, invoice_id LIMIT 1',
  })
  return rows[0]?.at.getTime()
}
