import { freeMarksSql } from '@cofre/platform/idempotency/mark'
import { valueIn, type Row } from '@cofre/platform/postgres/columns'
import { leaseDue, type Lease } from '@cofre/platform/postgres/lease'
import { parameters } from '@cofre/platform/postgres/parameters'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Transaction, WholeInvoice } from '../rules/invoice'
import { TRANSACTIONS } from './invoice-columns'

/** An attempt to pay before it has an id. */
export type NewTransaction = Omit<Transaction, 'id'>

const insertedRow = parameters<Row>()
const INSERT_TRANSACTION = `INSERT INTO invoice_transactions (${TRANSACTIONS.inserted()})
  VALUES (${TRANSACTIONS.inserted(insertedRow.row((row) => row))}) RETURNING id`

/** Saves a new attempt to pay an invoice that the caller has locked. Returns the invoice with it. */
export async function insertTransaction(
  tx: Db,
  invoice: WholeInvoice,
  draft: NewTransaction,
): Promise<{ invoice: WholeInvoice; transaction: Transaction }> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'insert-transaction',
    text: INSERT_TRANSACTION,
    values: insertedRow.valuesOf(TRANSACTIONS.toRow({ ...draft, id: 0 })),
  })
  const transaction = { ...draft, id: rows[0]?.id ?? 0 }
  return { invoice: { ...invoice, transactions: [...invoice.transactions, transaction] }, transaction }
}

const savedRow = parameters<Row>()
const saved = savedRow.row((row) => row)
const SAVE_TRANSACTION = `UPDATE invoice_transactions t
  SET ${TRANSACTIONS.updated(saved)}, asks = CASE WHEN ${valueIn(saved, 'ask_at')}::timestamptz IS NULL THEN 0 ELSE t.asks END,
    compare_at = CASE WHEN ${valueIn(saved, 'status')} <> t.status
      THEN ${valueIn(saved, 'updated_at')}::timestamptz + interval '1 hour' ELSE t.compare_at END
  WHERE t.id = ${valueIn(saved, 'id')} RETURNING row_to_json(t) AS row`

/** Saves a changed attempt to pay an invoice that the caller has locked. Returns the invoice with it. */
export async function saveTransaction(
  tx: Db,
  invoice: WholeInvoice,
  transaction: Transaction,
): Promise<WholeInvoice> {
  const { rows } = await tx.query<{ row: Row }>({
    name: 'save-transaction',
    text: SAVE_TRANSACTION,
    values: savedRow.valuesOf(TRANSACTIONS.toRow(transaction)),
  })
  if (!rows[0]) throw new Error('a transaction of an invoice is gone')
  const stored = TRANSACTIONS.fromRow(rows[0].row)
  const transactions = invoice.transactions.map((each) => (each.id === stored.id ? stored : each))
  return { ...invoice, transactions }
}

/** Names an attempt to pay, and the invoice that is locked before the attempt is changed. */
export type TransactionKey = { id: number; invoiceId: number; sellerId: number }

const KEY = 'id, invoice_id AS "invoiceId", seller_id AS "sellerId"'

type ChargeKey = { sellerId: number; id: number }

/**
 * Finds the attempts to which charges of the orders service belong. Returns the function that gives the attempt of a
 * charge: undefined when it belongs to no invoice.
 */
export async function findByCharges(
  db: Db,
  charges: readonly ChargeKey[],
): Promise<(charge: ChargeKey) => TransactionKey | undefined> {
  if (charges.length === 0) return () => undefined
  const { rows } = await db.query<TransactionKey & { chargeId: number }>({
    name: 'transactions-of-charges',
    text: `SELECT t.id, t.invoice_id AS "invoiceId", t.seller_id AS "sellerId", t.order_charge_id AS "chargeId"
      FROM unnest($1::bigint[], $2::bigint[]) AS told (seller_id, charge_id)
      JOIN invoice_transactions t ON t.seller_id = told.seller_id AND t.order_charge_id = told.charge_id`,
    values: [charges.map(({ sellerId }) => sellerId), charges.map(({ id }) => id)],
  })
  const nameOf = (sellerId: number, chargeId: number) => `${sellerId} ${chargeId}`
  const found = new Map(rows.map(({ chargeId, ...key }) => [nameOf(key.sellerId, chargeId), key]))
  return ({ sellerId, id }) => found.get(nameOf(sellerId, id))
}

/** Finds an attempt to pay. Undefined when it was refused and forgotten. */
export async function findTransaction(
  db: Db,
  { id, sellerId }: TransactionKey,
): Promise<Transaction | undefined> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-transaction',
    text: 'SELECT row_to_json(t) AS row FROM invoice_transactions t WHERE id = $1 AND seller_id = $2',
    values: [id, sellerId],
  })
  return rows[0] && TRANSACTIONS.fromRow(rows[0].row)
}

/** Reads an attempt to pay that is not refused any more: those are not deleted. */
export async function readTransaction(db: Db, key: TransactionKey): Promise<Transaction> {
  const transaction = await findTransaction(db, key)
  if (!transaction) throw new Error('a transaction of an invoice is gone')
  return transaction
}

/** Deletes an attempt that is PENDING, and returns the card that was to be kept. Undefined when it is resolved. */
export async function deletePending(
  tx: Db,
  id: number,
): Promise<Pick<Transaction, 'keepCardId' | 'keepCardIsOurs'> | undefined> {
  const { rows } = await tx.query<Pick<Transaction, 'keepCardId' | 'keepCardIsOurs'>>({
    name: 'delete-pending-transaction',
    text: `DELETE FROM invoice_transactions WHERE id = $1 AND status = 'PENDING'
      RETURNING keep_card_id AS "keepCardId", keep_card_is_ours AS "keepCardIsOurs"`,
    values: [id],
  })
  return rows[0]
}

/** Notes the card that was stored to be kept, before anything is charged. */
export async function noteStoredCard(db: Db, { id }: TransactionKey, cardId: number): Promise<void> {
  await db.query({
    name: 'note-stored-card',
    text: `UPDATE invoice_transactions SET keep_card_id = $2, keep_card_is_ours = true WHERE id = $1`,
    values: [id, cardId],
  })
}

/** Takes attempts that the orders service is to be asked about, for this caller alone until their next time. */
export function leaseTransactions(pool: Pool, lease: Lease): Promise<TransactionKey[]> {
  return leaseDue(pool, { table: 'invoice_transactions', key: 'id', returning: KEY }, lease)
}

/** Frees the mark of an operation that did nothing: its request may be made again. */
export async function freeMark(tx: Db, operationId: string): Promise<void> {
  await tx.query(freeMarksSql('$1', 'true'), [[operationId]])
}

/**
 * The age in seconds, at a moment (epoch milliseconds), of the oldest card payment without an outcome, those with a
 * refused refund left out.
 */
export async function oldestPendingAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS age FROM invoice_transactions
     WHERE status = 'PENDING' AND type = 'CREDIT_CARD' AND NOT (give_back AND return_refusals > 0)`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}
