import type { DoomedSystem } from '../doomed-system'

/** An invoice as the database holds it. */
export type BookedInvoice = {
  id: number
  status: string
  /** The seller was notified that it is past due, and it still is. */
  pastDueNotified: boolean
  /** How many events it has published. */
  sequence: number
  charges: { id: number; status: string; amount: number }[]
}

/** The invoices of one run, whose name begins the names of its customers. */
export function readInvoices(system: DoomedSystem, run: string): Promise<BookedInvoice[]> {
  return system.read<BookedInvoice>(
    'invoices',
    `SELECT i.id, i.status, i.sequence,
       i.past_due_notified AND NOT EXISTS (SELECT FROM late_notices l WHERE l.invoice_id = i.id) AS "pastDueNotified",
       (SELECT coalesce(json_agg(json_build_object('id', c.id, 'status', c.status, 'amount', c.amount) ORDER BY c.id), '[]')
        FROM invoice_charges c WHERE c.invoice_id = i.id) AS charges
     FROM invoices i WHERE starts_with(i.customer_name, $1) ORDER BY i.id`,
    [`${run}-`],
  )
}

/** The ids of a run's customers, or products, that exist. */
export async function readNamed(
  system: DoomedSystem,
  table: 'customers' | 'products',
  run: string,
): Promise<number[]> {
  const rows = await system.read<{ id: number }>(
    'invoices',
    `SELECT id FROM ${table} WHERE starts_with(name, $1) ORDER BY id`,
    [`${run}-`],
  )
  return rows.map(({ id }) => id)
}

/** How many numbers were generated for a seller, how many are on invoices, and the highest of these. */
export type Numbers = { sellerId: number; made: number; used: number; highest: number }

export function readNumbers(system: DoomedSystem): Promise<Numbers[]> {
  return system.read<Numbers>(
    'invoices',
    `SELECT n.seller_id AS "sellerId", n.last AS made, count(i.id)::int AS used,
       coalesce(max(i.invoice_number::bigint), 0)::int AS highest
     FROM invoice_numbers n LEFT JOIN invoices i ON i.seller_id = n.seller_id AND i.invoice_number ~ '^[0-9]{6,9}$'
     GROUP BY n.seller_id, n.last`,
  )
}
