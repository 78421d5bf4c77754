import { notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  answerMarksSql,
  answerOf,
  freeMarksSql,
  insertMark,
  type Mark,
} from '@cofre/platform/idempotency/mark'
import { appendToOutbox, outboxRows } from '@cofre/platform/events/outbox'
import { withTransaction, type Db, type Pool, type PoolClient } from '@cofre/platform/postgres/postgres'
import { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import type { Account } from '../acquirer/acquirer'
import type { Charge } from '../charge/charge'
import { eventsOf, toMessage } from './charge-message'
import { chargeOf, CHARGES, PAYMENTS, TRANSACTIONS, type ChargeRows } from './charge-columns'
import { NO_MARKS, type Marks } from '../charge/operation-mark'
import type { Decision } from '../charge/transition'

export type ChargeKey = { sellerId: number; id: number }

/**
 * A charge and the account at the acquirer that it was made with. `retryWithCard`: a decline about a payment's
 * network token leads to one more try with the card's own number.
 */
export type StoredCharge = { charge: Charge; account: Account; retryWithCard: boolean }

/** Selects whole charges `t`; the caller adds its condition. */
export const SELECT_CHARGE = `SELECT row_to_json(t) AS charge,
    (SELECT json_agg(p ORDER BY p.position) FROM payments p WHERE p.charge_id = t.id) AS payments,
    (SELECT json_agg(o ORDER BY o.id) FROM transactions o WHERE o.charge_id = t.id) AS transactions,
    e.merchant_id, e.retry_with_card
  FROM charges t JOIN establishments e ON e.id = t.establishment_id`

export type SelectedCharge = ChargeRows & {
  merchant_id: string
  retry_with_card: boolean
}

export function storedCharge(row: SelectedCharge): StoredCharge {
  const charge = chargeOf(row)
  const { merchant_id: merchantId, retry_with_card: retryWithCard } = row
  return { charge, account: { sellerId: charge.sellerId, merchantId }, retryWithCard }
}

/** Throws NOT_FOUND, also for another seller's charge. */
export async function readCharge(db: Db, { sellerId, id }: ChargeKey): Promise<StoredCharge> {
  const { rows } = await db.query<SelectedCharge>({
    name: 'read-charge',
    text: `${SELECT_CHARGE} WHERE t.id = $1 AND t.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  return storedCharge(rows[0])
}

// The id is a parameter of its own. When PostgreSQL guesses how many rows a list has, it may read a whole table.
const SAVE_CHARGE = `WITH saved AS (
    UPDATE charges c SET ${CHARGES.updated('r')}, asks = CASE WHEN r.ask_at IS NULL THEN 0 ELSE c.asks END,
      compare_at = coalesce(c.compare_at, r.updated_at + interval '1 day')
    FROM json_populate_record(null::charges, $1::json) r
    WHERE c.id = $4 AND c.version = r.version - 1
    RETURNING c.id),
  payments_saved AS (
    UPDATE payments p SET ${PAYMENTS.updated('r')}
    FROM saved, json_populate_recordset(null::payments, $2::json) r
    WHERE p.charge_id = $4 AND p.position = r.position),
  transactions_saved AS (
    INSERT INTO transactions (charge_id, ${TRANSACTIONS.inserted()})
    SELECT saved.id, ${TRANSACTIONS.inserted('r')}
    FROM saved, json_populate_recordset(null::transactions, $3::json) r
    ON CONFLICT (charge_id, id) DO UPDATE SET ${TRANSACTIONS.updated('excluded')}),
  told AS (${appendToOutbox('$5', 'EXISTS (SELECT FROM saved)')})`
const SAVE_MARKS = `answered AS (${answerMarksSql('$6', '$7', 'EXISTS (SELECT FROM saved)')}),
  freed AS (${freeMarksSql('$8', 'EXISTS (SELECT FROM saved)')})`

/** A charge as it was saved. One message serves its operation's mark, its events and its answer. */
export type SavedCharge = { charge: Charge; message: ChargeMessage }

/**
 * Saves a whole decision in one statement: the charge, its events, and the operations' answered or freed marks.
 * Returns undefined, and saves nothing, when the charge has changed since the decision's `before`.
 */
export async function saveCharge(db: Db, decision: Decision): Promise<SavedCharge | undefined> {
  const { before, charge, marks } = decision
  const message = toMessage(charge)
  const payments = charge.payments.filter((payment) => !before.payments.includes(payment))
  const transactions = charge.transactions.filter((one) => !before.transactions.includes(one))
  const values = [
    JSON.stringify(CHARGES.toRow(charge)),
    JSON.stringify(payments.map(PAYMENTS.toRow)),
    JSON.stringify(transactions.map(TRANSACTIONS.toRow)),
    charge.id,
    outboxRows(eventsOf(decision, message)),
  ]
  const { rowCount } = await db.query(
    marks === NO_MARKS
      ? { name: 'save-charge', text: `${SAVE_CHARGE} SELECT id FROM saved`, values }
      : {
          name: 'save-charge-and-marks',
          text: `${SAVE_CHARGE}, ${SAVE_MARKS} SELECT id FROM saved`,
          values: [...values, marks.answered, answerFor(marks, message), marks.freed],
        },
  )
  return rowCount === 1 ? { charge, message } : undefined
}

function answerFor({ answered }: Marks, message: ChargeMessage): Uint8Array | null {
  return answered.length > 0 ? ChargeMessage.encode(message).finish() : null
}

/** Locks the charge, decides, and saves: one transaction. */
export async function updateCharge(
  pool: Pool,
  key: ChargeKey,
  decide: (charge: Charge) => Decision,
): Promise<SavedCharge> {
  return withTransaction(pool, (tx) => decideLocked(tx, key, decide))
}

/** Does the same as `updateCharge`, within the caller's transaction. */
export async function decideLocked(
  tx: PoolClient,
  key: ChargeKey,
  decide: (charge: Charge) => Decision,
): Promise<StoredCharge & Decision & SavedCharge> {
  // Two statements: the second reads the charge as the previous holder of the lock left it.
  await tx.query('SELECT FROM charges WHERE id = $1 AND seller_id = $2 FOR UPDATE', [key.id, key.sellerId])
  const { charge, ...establishment } = await readCharge(tx, key)
  const decision = decide(charge)
  const saved = await saveCharge(tx, decision)
  if (!saved) throw new Error('a locked charge changed')
  return { ...decision, ...saved, ...establishment }
}

/** A charge with the outcome of a call to the acquirer, and the answer of the operation. */
export type SavedOutcome = { charge: Charge; answer: ChargeMessage }

/**
 * Saves the outcome of a call to the acquirer in one statement, decided on the charge as it was before the call. When
 * the sweeper was faster, decides again on its result. The sweeper may have answered the key too: its answer stays.
 */
export async function saveOutcome(
  pool: Pool,
  snapshot: Charge,
  decide: (charge: Charge) => Decision,
): Promise<SavedOutcome> {
  const saved = await saveCharge(pool, decide(snapshot))
  if (saved) return { charge: saved.charge, answer: saved.message }
  return withTransaction(pool, async (tx) => {
    const { charge, message, marks } = await decideLocked(tx, snapshot, decide)
    const [operationId] = marks.answered
    const kept = operationId === undefined ? undefined : await answerOf(tx, operationId)
    return { charge, answer: kept ? ChargeMessage.decode(kept) : message }
  })
}

/** Saves an intention with its operation's mark, or returns the answer that the Idempotency-Key has kept. */
export async function beginOperation(
  pool: Pool,
  mark: Mark,
  key: ChargeKey,
  decide: (charge: Charge) => Decision,
): Promise<StoredCharge | Replayable<ChargeMessage>> {
  return withTransaction(pool, async (tx) => {
    const kept = await insertMark(tx, mark)
    return kept ? replayOf(kept) : decideLocked(tx, key, decide)
  })
}

export function replayOf(kept: Uint8Array): Replayable<ChargeMessage> {
  return { response: ChargeMessage.decode(kept), replayed: true }
}
