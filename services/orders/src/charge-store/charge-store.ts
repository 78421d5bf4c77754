import { notFound } from '@cofre/platform/errors'
import { answerOf, claimRequest, type Claim } from '@cofre/platform/idempotency/idempotency'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import type { Charge } from '../charge/charge'
import { eventsOf, toMessage } from './charge-message'
import { chargeOf, chargeRow, paymentRow, transactionRow, type ChargeRows } from './charge-row'
import type { SealedAccount } from '../establishment/establishment'
import type { Decision } from '../charge/transition'

export type ChargeKey = { sellerId: number; id: number }

/**
 * A charge and the account at the acquirer that it was made with. `retryWithCard`: a payment that is declined because
 * of its network token is tried once more with the card's own number.
 */
export type StoredCharge = { charge: Charge; account: SealedAccount; retryWithCard: boolean }

/** Whole charges; the caller adds its condition. */
export const SELECT_CHARGE = `SELECT row_to_json(c) AS charge,
    (SELECT json_agg(p ORDER BY p.position) FROM payments p WHERE p.charge_id = c.id) AS payments,
    (SELECT json_agg(t ORDER BY t.id) FROM transactions t WHERE t.charge_id = c.id) AS transactions,
    e.merchant_id, e.merchant_key, e.retry_with_card
  FROM charges c JOIN establishments e ON e.id = c.establishment_id`

export type SelectedCharge = ChargeRows & {
  merchant_id: string
  merchant_key: Buffer
  retry_with_card: boolean
}

export function storedCharge(row: SelectedCharge): StoredCharge {
  const charge = chargeOf(row)
  const { merchant_id: merchantId, merchant_key: merchantKey, retry_with_card: retryWithCard } = row
  return { charge, account: { sellerId: charge.sellerId, merchantId, merchantKey }, retryWithCard }
}

/** NOT_FOUND also for another seller's. */
export async function readCharge(db: Db, { sellerId, id }: ChargeKey): Promise<StoredCharge> {
  const { rows } = await db.query<SelectedCharge>({
    name: 'read-charge',
    text: `${SELECT_CHARGE} WHERE c.id = $1 AND c.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  return storedCharge(rows[0])
}

// The id stands apart from the rows: where PostgreSQL guesses how many rows a list has, it may read a whole table.
const SAVE_CHARGE = `WITH saved AS (
    UPDATE charges c SET status = r.status, authorized_amount = r.authorized_amount,
      captured_amount = r.captured_amount, refunded_amount = r.refunded_amount,
      refund_reserved = r.refund_reserved, metadata = r.metadata, version = r.version, sequence = r.sequence,
      ask_at = r.ask_at, asks = CASE WHEN r.ask_at IS NULL THEN 0 ELSE c.asks END, updated_at = r.updated_at
    FROM json_populate_record(null::charges, $1::json) r
    WHERE c.id = $8 AND c.version = r.version - 1
    RETURNING c.id),
  payments_saved AS (
    UPDATE payments p SET status = r.status, captured_amount = r.captured_amount,
      refunded_amount = r.refunded_amount, acquirer_payment_id = r.acquirer_payment_id, tid = r.tid, nsu = r.nsu,
      order_number = r.order_number, card_source = r.card_source,
      authorization_code = r.authorization_code, return_code = r.return_code, decline_code = r.decline_code,
      decline_acquirer_code = r.decline_acquirer_code, decline_message = r.decline_message,
      decline_retryable = r.decline_retryable, decline_advice = r.decline_advice, denied_at = r.denied_at
    FROM saved, json_populate_recordset(null::payments, $2::json) r
    WHERE p.charge_id = $8 AND p.position = r.position),
  transactions_saved AS (
    INSERT INTO transactions (charge_id, id, position, type, status, cause, amount, operation_id,
      dispatch_deadline, reason, attempt, created_at)
    SELECT r.charge_id, r.id, r.position, r.type, r.status, r.cause, r.amount, r.operation_id,
      r.dispatch_deadline, r.reason, r.attempt, r.created_at
    FROM saved, json_populate_recordset(null::transactions, $3::json) r
    ON CONFLICT (charge_id, id)
      DO UPDATE SET status = excluded.status, dispatch_deadline = excluded.dispatch_deadline,
        attempt = excluded.attempt),
  answered AS (
    UPDATE idempotency SET response = $4, completed_at = now() FROM saved
    WHERE operation_id = ANY($5::uuid[]) AND response IS NULL),
  freed AS (
    DELETE FROM idempotency USING saved WHERE operation_id = ANY($6::uuid[]) AND response IS NULL),
  told AS (${appendToOutbox('$7', 'EXISTS (SELECT FROM saved)')})
  SELECT id FROM saved`

/**
 * Saves a decision whole, in one statement: the charge, its events, and what becomes of the operations' marks. False,
 * and nothing saved, when the charge has changed since the decision's `before`.
 */
export async function saveCharge(db: Db, decision: Decision): Promise<boolean> {
  const { before, charge, marks } = decision
  const payments = charge.payments.filter((payment) => !before.payments.includes(payment))
  const transactions = charge.transactions.filter((one) => !before.transactions.includes(one))
  const answer = marks.answered.length > 0 ? ChargeMessage.encode(toMessage(charge)).finish() : null
  const { rowCount } = await db.query({
    name: 'save-charge',
    text: SAVE_CHARGE,
    values: [
      JSON.stringify(chargeRow(charge)),
      JSON.stringify(payments.map((payment) => paymentRow(charge, payment))),
      JSON.stringify(transactions.map((one) => transactionRow(charge, one))),
      answer,
      marks.answered,
      marks.freed,
      outboxRows(eventsOf(decision)),
      charge.id,
    ],
  })
  return rowCount === 1
}

/** Locks the charge, decides, and saves: one transaction. */
export async function updateCharge(
  pool: Pool,
  key: ChargeKey,
  decide: (charge: Charge) => Decision,
): Promise<Charge> {
  return withTransaction(pool, async (tx) => (await decideLocked(tx, key, decide)).charge)
}

/** As `updateCharge`, within the caller's transaction. */
export async function decideLocked(
  tx: PoolClient,
  key: ChargeKey,
  decide: (charge: Charge) => Decision,
): Promise<StoredCharge & Decision> {
  // Two statements: what the second reads is what the one who held the lock has left.
  await tx.query('SELECT FROM charges WHERE id = $1 AND seller_id = $2 FOR UPDATE', [key.id, key.sellerId])
  const { charge, ...establishment } = await readCharge(tx, key)
  const decision = decide(charge)
  if (!(await saveCharge(tx, decision))) throw new Error('a locked charge changed')
  return { ...decision, ...establishment }
}

/** A charge with what came of a call to the acquirer. `kept`: what the operation's Idempotency-Key answers already. */
export type SavedOutcome = { charge: Charge; kept?: Uint8Array | undefined }

/**
 * Saves what came of a call to the acquirer, decided on the charge as it was before the call: one statement. When the
 * sweeper was faster, decides anew on what it left; it may have answered the key too, and a key has one answer.
 */
export async function saveOutcome(
  pool: Pool,
  snapshot: Charge,
  decide: (charge: Charge) => Decision,
): Promise<SavedOutcome> {
  const decision = decide(snapshot)
  if (await saveCharge(pool, decision)) return { charge: decision.charge }
  return withTransaction(pool, async (tx) => {
    const { charge, marks } = await decideLocked(tx, snapshot, decide)
    const [operationId] = marks.answered
    return { charge, kept: operationId === undefined ? undefined : await answerOf(tx, operationId) }
  })
}

/** Saves an intention with its Idempotency-Key mark, or answers what the key has kept. */
export async function beginOperation(
  pool: Pool,
  claim: Claim,
  key: ChargeKey,
  decide: (charge: Charge) => Decision,
): Promise<StoredCharge | { kept: Uint8Array }> {
  return withTransaction(pool, async (tx) => {
    const kept = await claimRequest(tx, claim)
    return kept ? { kept } : decideLocked(tx, key, decide)
  })
}
