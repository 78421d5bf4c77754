import type { Row } from '@cofre/platform/postgres/columns'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { InvoiceStatus, WholeInvoice } from '../invoice/rules/invoice'
import { AUTOMATIC_CHARGES } from '../invoice/store/invoice-columns'
import type { Dunning } from './rules/automatic-charge'
import type { OwnReason } from './rules/reason'
import type { OtherMoney } from './rules/other-money'

/** Names the automatic charge of an invoice. */
export type ChargeKey = { id: number; sellerId: number }

/** How long one process may take for a charge. It looks up the card and asks the bank about each slip before. */
export const CHARGING_MS = 45_000
/** Longer than that: no other process asks the bank and looks up the card meanwhile. */
const LEASE_SECONDS = 60

/**
 * Takes automatic charges that are due at a moment (epoch milliseconds), up to `batch`, for this caller alone for a
 * while. `inHand`: ids of invoices that it is already working on.
 */
export async function takeDueCharges(
  pool: Pool,
  { at, batch, inHand = [] }: { at: number; batch: number; inHand?: readonly (number | string)[] },
): Promise<ChargeKey[]> {
  const { rows } = await pool.query<ChargeKey>({
    name: 'take-due-charges',
    text: `UPDATE automatic_charges SET leased_until = now() + interval '${LEASE_SECONDS} seconds'
      WHERE invoice_id IN (SELECT invoice_id FROM automatic_charges WHERE due_at <= $1 AND leased_until <= now()
        AND invoice_id <> ALL($3) ORDER BY due_at, invoice_id LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING invoice_id AS id, seller_id AS "sellerId"`,
    values: [new Date(at), batch, inHand],
  })
  return rows
}

/** When the next automatic charge that no process has is due, epoch milliseconds. Undefined when there is none. */
export async function nextChargeDueAt(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'next-charge-due',
    text: `SELECT due_at AS at FROM automatic_charges WHERE due_at IS NOT NULL AND leased_until <= now()
      ORDER BY due_at, invoice_id LIMIT 1`,
  })
  return rows[0]?.at.getTime()
}

/** How many seconds the oldest automatic charge is overdue at a moment (epoch milliseconds). */
export async function oldestDueChargeAge(db: Db, at: number): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    `SELECT greatest(extract(epoch FROM $1::timestamptz - min(next_attempt_at)), 0)::float8 AS age
     FROM automatic_charges WHERE next_attempt_at <= $1 AND NOT is_held`,
    [new Date(at)],
  )
  return rows[0]?.age ?? 0
}

type DunningRow = {
  charge: Row
  transactionId: number | null
  firstTriedAt: Date | null
  chargedFrom: CalendarDay | null
  failures: number
  refusedCards: number[]
  triedCards: number[]
  disputedCards: number[]
  chosenCard: number | null
  keptCard: number | null
  isKeptLast: boolean
  givesUp: boolean
  paysLateness: boolean
  isBooklet: boolean
  isPaused: boolean
  stoppedBy: OwnReason | null
}

/** Like `readDunning`, and locks the automatic charge until the caller's commit. The caller has locked its invoice. */
export async function lockDunning(tx: Db, key: ChargeKey): Promise<Dunning | undefined> {
  // Two statements: the second reads the row as the earlier holder of the lock left it.
  await tx.query({
    name: 'lock-dunning',
    text: 'SELECT FROM automatic_charges WHERE invoice_id = $1 AND seller_id = $2 FOR UPDATE',
    values: [key.id, key.sellerId],
  })
  return readDunning(tx, key)
}

/** Reads the automatic charge of an invoice, with all that decides on it. Undefined when the invoice has none. */
export async function readDunning(db: Db, { id, sellerId }: ChargeKey): Promise<Dunning | undefined> {
  const { rows } = await db.query<DunningRow>({
    name: 'read-dunning',
    text: `SELECT row_to_json(a) AS charge, a.transaction_id AS "transactionId", a.first_tried_at AS "firstTriedAt", a.failures,
        a.charged_from::text AS "chargedFrom",
        to_json(a.refused_cards) AS "refusedCards",
        to_json(a.tried_cards) AS "triedCards",
        to_json(ARRAY(SELECT DISTINCT card_id FROM disputes d WHERE d.seller_id = a.seller_id AND NOT d.is_won
          AND d.card_id IN (r.card_id, c.kept_card_id))) AS "disputedCards", r.card_id AS "chosenCard", c.kept_card_id AS "keptCard",
        coalesce(c.kept_card_at > coalesce(r.card_chosen_at, r.created_at), false) AS "isKeptLast",
        coalesce(r.gives_up, false) AS "givesUp", coalesce(r.card_pays_fine_and_interest, false) AS "paysLateness",
         coalesce(r.kind = 'BOOKLET', false) AS "isBooklet", coalesce(r.status = 'PAUSED', false) AS "isPaused",
        CASE WHEN c.id IS NULL THEN 'CUSTOMER_DELETED' WHEN r.status = 'CANCELLED' THEN 'RECURRING_INVOICE_CANCELLED' END AS "stoppedBy"
      FROM automatic_charges a JOIN invoices i ON i.id = a.invoice_id
        LEFT JOIN recurring_invoices r ON r.id = i.recurring_invoice_id
        LEFT JOIN customers c ON c.id = a.customer_id AND c.seller_id = a.seller_id
      WHERE a.invoice_id = $1 AND a.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) return undefined
  const { charge, firstTriedAt, chosenCard, keptCard, isKeptLast, ...known } = rows[0]
  // The card that was chosen last comes first: the plan's, or the one that the customer kept.
  const cards = isKeptLast ? [keptCard, chosenCard] : [chosenCard, keptCard]
  return {
    ...known,
    charge: AUTOMATIC_CHARGES.fromRow(charge),
    firstTriedAt: firstTriedAt?.getTime() ?? null,
    lookAt: null,
    cards: [...new Set(cards.filter((each) => each !== null))],
  }
}

/** Saves a decision on the automatic charge of an invoice that the caller has locked. Returns the invoice with it. */
export async function saveDunning(
  tx: Db,
  invoice: WholeInvoice,
  { charge, transactionId, firstTriedAt, chargedFrom, failures, refusedCards, triedCards, lookAt }: Dunning,
  at: number,
): Promise<WholeInvoice> {
  await tx.query({
    name: 'save-dunning',
    text: `UPDATE automatic_charges SET status = $2, attempts = $3, next_attempt_at = $4, reason = $5, transaction_id = $6,
        first_tried_at = $7, failures = $8, refused_cards = $9, look_at = coalesce($10, look_at), leased_until = 'epoch',
        updated_at = $11, charged_from = $12, tried_cards = $13
      WHERE invoice_id = $1`,
    values: [
      invoice.id,
      charge.status,
      charge.attempts,
      dateOf(charge.nextAttemptAt),
      charge.reason,
      transactionId,
      dateOf(firstTriedAt),
      failures,
      refusedCards,
      dateOf(lookAt),
      new Date(at),
      chargedFrom,
      triedCards,
    ],
  })
  return { ...invoice, automaticCharge: charge }
}

function dateOf(moment: number | null): Date | null {
  return moment === null ? null : new Date(moment)
}

const STOPPED_BY: Partial<Record<InvoiceStatus, string>> = {
  PAID: 'INVOICE_PAID',
  CANCELLED: 'INVOICE_VOIDED',
  UNCOLLECTIBLE: 'INVOICE_UNCOLLECTIBLE',
}

/**
 * Stops the automatic charge of an invoice that is paid, voided or given up, in the transaction that makes it so. The
 * charge becomes PAID when its own card paid the invoice.
 */
export async function stopAutomaticCharge(tx: Db, invoice: WholeInvoice): Promise<WholeInvoice> {
  const { id, status, updatedAt } = invoice
  const reason = STOPPED_BY[status]
  if (invoice.automaticCharge === null || reason === undefined) return invoice
  const { rows } = await tx.query<{ row: Row }>({
    name: 'stop-automatic-charge',
    text: `UPDATE automatic_charges a SET next_attempt_at = NULL, updated_at = $4,
        status = CASE WHEN own.paid THEN 'PAID' ELSE 'STOPPED' END::automatic_charge_status,
        reason = CASE WHEN own.paid THEN NULL ELSE $3 END
      FROM (SELECT $2 = 'PAID' AND EXISTS (SELECT FROM automatic_charges b JOIN invoice_transactions t
          ON t.id = b.transaction_id WHERE b.invoice_id = $1 AND t.status = 'SUCCEEDED') AS paid) AS own
      WHERE a.invoice_id = $1 AND (a.status IN ('WAITING', 'TRYING', 'NEEDS_CARD') OR $2 = 'PAID' AND a.status <> 'PAID')
      RETURNING row_to_json(a) AS row`,
    values: [id, status, reason, new Date(updatedAt)],
  })
  return rows[0] ? { ...invoice, automaticCharge: AUTOMATIC_CHARGES.fromRow(rows[0].row) } : invoice
}

/** The money that keeps a card from being charged for an invoice. Undefined when there is none. */
export async function otherMoneyOf(
  db: Db,
  { sellerId, id }: { sellerId: number; id: number },
): Promise<OtherMoney | undefined> {
  const { rows } = await db.query<{ isKept: boolean; since: Date | null }>({
    name: 'other-money-of-invoice',
    text: `SELECT coalesce(bool_or(outcome = 'KEPT'), false) AS "isKept", min(created_at) FILTER (WHERE NOT is_resolved) AS since
      FROM receipts WHERE seller_id = $1 AND invoice_id = $2 AND is_unexpected AND (NOT is_resolved OR outcome = 'KEPT')
        AND reason <> 'OVERPAID'`,
    values: [sellerId, id],
  })
  const { isKept = false, since = null } = rows[0] ?? {}
  if (since !== null) return { is: 'waiting', since: since.getTime() }
  return isKept ? { is: 'kept' } : undefined
}
