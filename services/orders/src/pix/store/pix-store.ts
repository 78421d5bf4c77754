import type { Replayable } from '@cofre/platform/grpc/replayable'
import { insertMark, type Mark } from '@cofre/platform/idempotency/mark'
import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { Charge as ChargeMessage, ListedPix } from '@cofre/proto/orders/v1/orders'
import type { Charge } from '../../charge/charge'
import { CHARGES, PAYMENTS, TRANSACTIONS } from '../../charge-store/charge-columns'
import { replayOf } from '../../charge-store/charge-store'

const INSERT_PIX_CHARGE = `WITH charge AS (
    INSERT INTO charges (${CHARGES.inserted()})
    SELECT ${CHARGES.inserted('r')} FROM json_populate_record(null::charges, $1::json) r RETURNING id, seller_id),
  new_payments AS (
    INSERT INTO payments (charge_id, seller_id, ${PAYMENTS.inserted()})
    SELECT c.id, c.seller_id, ${PAYMENTS.inserted('r')}
    FROM charge c, json_populate_recordset(null::payments, $2::json) r),
  new_transactions AS (
    INSERT INTO transactions (charge_id, ${TRANSACTIONS.inserted()})
    SELECT c.id, ${TRANSACTIONS.inserted('r')}
    FROM charge c, json_populate_recordset(null::transactions, $3::json) r)
  SELECT id FROM charge`

/**
 * Stores the intention to ask for a Pix, and takes the Idempotency-Key. Returns the kept answer when the key was used
 * before. `make` may refuse the request: then nothing is stored.
 */
export function insertPixCharge(
  pool: Pool,
  mark: Mark,
  make: () => Charge,
): Promise<{ charge: Charge } | Replayable<ChargeMessage>> {
  return withTransaction(pool, async (tx) => {
    const kept = await insertMark(tx, mark)
    if (kept) return replayOf(kept)
    const charge = make()
    const { rows } = await tx.query<{ id: number }>({
      name: 'insert-pix-charge',
      text: INSERT_PIX_CHARGE,
      values: [
        JSON.stringify(CHARGES.toRow(charge)),
        JSON.stringify(charge.payments.map(PAYMENTS.toRow)),
        JSON.stringify(charge.transactions.map(TRANSACTIONS.toRow)),
      ],
    })
    return { charge: { ...charge, id: rows[0]?.id ?? 0 } }
  })
}

/** The text behind the QR code of a charge that can be paid at a moment (epoch milliseconds). */
export async function findPixCode(db: Db, txid: string, at: number): Promise<string | undefined> {
  const { rows } = await db.query<{ copyAndPaste: string }>({
    name: 'find-pix-code',
    text: `SELECT pix_copy_and_paste AS "copyAndPaste" FROM payments
      WHERE order_number = $1 AND status = 'PENDING' AND pix_copy_and_paste IS NOT NULL AND pix_expires_at > $2`,
    values: [txid, new Date(at)],
  })
  return rows[0]?.copyAndPaste
}

/**
 * The txids under which a bank lists a Pix that their charge does not know, or of which more went back than it knows. A
 * Pix that came besides the payment is known from the first return of it on.
 */
export async function unknownPix(db: Db, listed: readonly ListedPix[]): Promise<string[]> {
  const { rows } = await db.query<{ txid: string }>({
    name: 'unknown-pix',
    text: `SELECT DISTINCT p.order_number AS txid
      FROM unnest($1::text[], $2::text[], $3::bigint[]) AS l (txid, end_to_end_id, returned)
      JOIN payments p ON p.order_number = l.txid AND p.pix_account IS NOT NULL
      WHERE CASE WHEN p.acquirer_payment_id = l.end_to_end_id THEN p.refunded_amount < l.returned
        ELSE NOT EXISTS (SELECT FROM transactions t
          WHERE t.charge_id = p.charge_id AND t.end_to_end_id = l.end_to_end_id) END`,
    values: [
      listed.map(({ txid }) => txid),
      listed.map(({ endToEndId }) => endToEndId),
      listed.map(({ returnedAmount }) => returnedAmount),
    ],
  })
  return rows.map(({ txid }) => txid)
}

/**
 * Has the charges of these txids asked about at once, whatever their state: money may have come, or gone back. A look
 * that runs now began before the hint, so its changes no longer hold.
 */
export async function hastenPix(db: Db, txids: readonly string[], at: number): Promise<void> {
  await db.query({
    name: 'hasten-pix',
    text: `UPDATE charges SET ask_at = least(ask_at, $2), asks = 0, version = version + 1
      WHERE id IN (SELECT c.id FROM payments p JOIN charges c ON c.id = p.charge_id
        WHERE p.order_number = ANY ($1) AND p.pix_account IS NOT NULL ORDER BY c.id FOR UPDATE OF c)`,
    values: [txids, new Date(at)],
  })
}
