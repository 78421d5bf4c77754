import type { Row } from '@cofre/platform/postgres/columns'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Transaction, WholeInvoice } from '../invoice/invoice'
import { TRANSACTIONS } from '../invoice-store/invoice-columns'

/** An attempt to pay before it has an id. */
export type NewTransaction = Omit<Transaction, 'id'>

/** Saves a new attempt to pay an invoice that the caller has locked; the invoice with it. */
export async function insertTransaction(
  tx: Db,
  invoice: WholeInvoice,
  draft: NewTransaction,
): Promise<{ invoice: WholeInvoice; transaction: Transaction }> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'insert-transaction',
    text: `INSERT INTO invoice_transactions (${TRANSACTIONS.inserted()})
      SELECT ${TRANSACTIONS.inserted('r')} FROM json_populate_record(null::invoice_transactions, $1::json) r RETURNING id`,
    values: [JSON.stringify(TRANSACTIONS.toRow({ ...draft, id: 0 }))],
  })
  const transaction = { ...draft, id: rows[0]?.id ?? 0 }
  return { invoice: { ...invoice, transactions: [...invoice.transactions, transaction] }, transaction }
}

const SAVE_TRANSACTION = `UPDATE invoice_transactions t
  SET ${TRANSACTIONS.updated('r')}, asks = CASE WHEN r.ask_at IS NULL THEN 0 ELSE t.asks END
  FROM json_populate_record(null::invoice_transactions, $1::json) r WHERE t.id = $2 RETURNING row_to_json(t) AS row`

/** Saves what became of an attempt to pay an invoice that the caller has locked; the invoice with it. */
export async function saveTransaction(
  tx: Db,
  invoice: WholeInvoice,
  transaction: Transaction,
): Promise<WholeInvoice> {
  const { rows } = await tx.query<{ row: Row }>({
    name: 'save-transaction',
    text: SAVE_TRANSACTION,
    values: [JSON.stringify(TRANSACTIONS.toRow(transaction)), transaction.id],
  })
  if (!rows[0]) throw new Error('a transaction of an invoice is gone')
  const saved = TRANSACTIONS.fromRow(rows[0].row)
  const transactions = invoice.transactions.map((each) => (each.id === saved.id ? saved : each))
  return { ...invoice, transactions }
}
