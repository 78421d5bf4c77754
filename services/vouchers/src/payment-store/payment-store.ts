import { notFound } from '@cofre/platform/errors'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  answerMarksSql,
  answerOf,
  freeMarksSql,
  insertMark,
  type Mark,
} from '@cofre/platform/idempotency/mark'
import type { Row } from '@cofre/platform/postgres/columns'
import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import { VoucherPayment as Message } from '@cofre/proto/vouchers/v1/vouchers'
import type { Payment } from '../payment/payment'
import type { Decision } from '../payment/transition'
import { PAYMENTS } from './payment-columns'
import { eventsOf, toMessage } from './payment-message'

export type PaymentKey = { sellerId: number; id: number }

/** Selects whole payments as `t`; the caller adds its condition. */
export const SELECT_PAYMENT = 'SELECT row_to_json(t) AS row FROM payments t'

export function paymentOf({ row }: { row: Row }): Payment {
  return PAYMENTS.fromRow(row)
}

/** Throws NOT_FOUND, also for another seller's payment. */
export async function readPayment(db: Db, { sellerId, id }: PaymentKey): Promise<Payment> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-voucher-payment',
    text: `${SELECT_PAYMENT} WHERE t.id = $1 AND t.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  return paymentOf(rows[0])
}

const SAVE_PAYMENT = `WITH saved AS (
    UPDATE payments p SET ${PAYMENTS.updated('r')}, asks = CASE WHEN r.ask_at IS NULL THEN 0 ELSE p.asks END
    FROM json_populate_record(null::payments, $1::json) r
    WHERE p.id = $2 AND p.version = r.version - 1
    RETURNING p.id),
  told AS (${appendToOutbox('$3', 'EXISTS (SELECT FROM saved)')}),
  answered AS (${answerMarksSql('$4', '$5', 'EXISTS (SELECT FROM saved)')}),
  freed AS (${freeMarksSql('$6', 'EXISTS (SELECT FROM saved)')})
  SELECT id FROM saved`

/** A saved payment. Its one message is the kept answer of the mark, the content of the event and the response. */
export type SavedPayment = { payment: Payment; message: Message }

/**
 * Saves a decision in one statement: the payment, its event, and the end of the operation's mark. Returns undefined,
 * and saves nothing, when the payment has changed since the decision's `before`.
 */
export async function savePayment(db: Db, decision: Decision): Promise<SavedPayment | undefined> {
  const { payment, mark } = decision
  const message = toMessage(payment)
  const answered = mark?.end === 'answered' ? [mark.operationId] : []
  const { rowCount } = await db.query({
    name: 'save-voucher-payment',
    text: SAVE_PAYMENT,
    values: [
      JSON.stringify(PAYMENTS.toRow(payment)),
      payment.id,
      outboxRows(eventsOf(decision, message)),
      answered,
      answered.length > 0 ? Message.encode(message).finish() : null,
      mark?.end === 'freed' ? [mark.operationId] : [],
    ],
  })
  return rowCount === 1 ? { payment, message } : undefined
}

/** Locks the payment, decides, and saves, in one transaction. */
export async function updatePayment(
  pool: Pool,
  key: PaymentKey,
  decide: (payment: Payment) => Decision,
): Promise<SavedPayment> {
  return withTransaction(pool, (tx) => decideLocked(tx, key, decide))
}

async function decideLocked(
  tx: PoolClient,
  key: PaymentKey,
  decide: (payment: Payment) => Decision,
): Promise<Decision & SavedPayment> {
  // Two statements: the second reads the payment as the last holder of the lock left it.
  await tx.query('SELECT FROM payments WHERE id = $1 AND seller_id = $2 FOR UPDATE', [key.id, key.sellerId])
  const decision = decide(await readPayment(tx, key))
  const saved = await savePayment(tx, decision)
  if (!saved) throw new Error('a locked voucher payment changed')
  return { ...decision, ...saved }
}

/**
 * Saves the outcome of a call to the issuer in one statement. It decides on the payment as it was before the call. When
 * the sweeper was faster, it decides on the payment that is left. An answer that the sweeper gave to the key stays.
 */
export async function saveOutcome(
  pool: Pool,
  snapshot: Payment,
  decide: (payment: Payment) => Decision,
): Promise<{ payment: Payment; answer: Message }> {
  const saved = await savePayment(pool, decide(snapshot))
  if (saved) return { payment: saved.payment, answer: saved.message }
  return withTransaction(pool, async (tx) => {
    const { payment, message, mark } = await decideLocked(tx, snapshot, decide)
    const kept = mark?.end === 'answered' ? await answerOf(tx, mark.operationId) : undefined
    return { payment, answer: kept ? Message.decode(kept) : message }
  })
}

/** Saves an intention with its operation's mark, or returns the kept answer of the Idempotency-Key. */
export async function beginOperation(
  pool: Pool,
  mark: Mark,
  key: PaymentKey,
  decide: (payment: Payment) => Decision,
): Promise<SavedPayment | Replayable<Message>> {
  return withTransaction(pool, async (tx) => {
    const kept = await insertMark(tx, mark)
    return kept ? replayOf(kept) : decideLocked(tx, key, decide)
  })
}

export function replayOf(kept: Uint8Array): Replayable<Message> {
  return { response: Message.decode(kept), replayed: true }
}
