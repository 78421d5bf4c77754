import { aggregateStore, type Kind } from '@cofre/platform/postgres/aggregate-store'
import { valueIn, type NewRow } from '@cofre/platform/postgres/columns'
import { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import type { Account } from '../acquirer/acquirer'
import type { Charge } from '../charge/charge'
import { eventsOf, toMessage } from './charge-message'
import { chargeOf, CHARGES, PAYMENTS, TRANSACTIONS, type ChargeRows } from './charge-columns'
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
    coalesce(e.acquirer::text, 'pix') AS acquirer, e.merchant_id, coalesce(e.retry_with_card, false) AS retry_with_card
  FROM charges t LEFT JOIN establishments e ON e.id = t.establishment_id`

export type SelectedCharge = ChargeRows & {
  merchant_id: string | null
  retry_with_card: boolean
}

export function storedCharge(row: SelectedCharge): StoredCharge {
  const charge = chargeOf(row)
  const { retry_with_card: retryWithCard } = row
  const merchantId = row.merchant_id ?? charge.payments[0]?.pix?.account ?? ''
  return { charge, account: { sellerId: charge.sellerId, merchantId }, retryWithCard }
}

function savePayments(row: NewRow, from = ''): string {
  return `UPDATE payments p SET ${PAYMENTS.updated(row)} FROM saved${from}
    WHERE p.charge_id = $1 AND p.position = ${valueIn(row, 'position')}`
}

const PAYMENTS_OF_CHARGE = {
  save: (rows: string) => savePayments('r', `, json_populate_recordset(null::payments, ${rows}::json) r`),
  saveOne: (row: NewRow) => savePayments(row),
  changedBy: ({ before, charge }: Decision) =>
    charge.payments.filter((payment) => !before.payments.includes(payment)).map(PAYMENTS.toRow),
}

function saveTransactions(row: NewRow, from = ''): string {
  return `INSERT INTO transactions (charge_id, ${TRANSACTIONS.inserted()})
    SELECT saved.id, ${TRANSACTIONS.inserted(row)} FROM saved${from}
    ON CONFLICT (charge_id, id) DO UPDATE SET ${TRANSACTIONS.updated('excluded')}`
}

const TRANSACTIONS_OF_CHARGE = {
  save: (rows: string) =>
    saveTransactions('r', `, json_populate_recordset(null::transactions, ${rows}::json) r`),
  saveOne: (row: NewRow) => saveTransactions(row),
  changedBy: ({ before, charge }: Decision) =>
    charge.transactions.filter((one) => !before.transactions.includes(one)).map(TRANSACTIONS.toRow),
}

const CHARGE: Kind<ChargeKey, Charge, { charge: Charge }, StoredCharge, Decision, ChargeMessage> = {
  name: 'charge',
  table: 'charges',
  id: 'id',
  columns: CHARGES,
  alsoSet: (valueOf) => `asks = CASE WHEN ${valueOf('ask_at')}::timestamptz IS NULL THEN 0 ELSE t.asks END,
    compare_at = least(t.compare_at, ${valueOf('updated_at')}::timestamptz + interval '1 day')`,
  parts: [PAYMENTS_OF_CHARGE, TRANSACTIONS_OF_CHARGE],
  select: SELECT_CHARGE,
  storedOf: storedCharge,
  valueOf: ({ charge }) => charge,
  message: ChargeMessage,
  toMessage,
  eventsOf,
  marksOf: ({ marks }) => marks,
}

export const {
  read: readCharge,
  save: saveCharge,
  update: updateCharge,
  decideLocked,
  saveOutcome,
  beginOperation,
  replayOf,
} = aggregateStore(CHARGE)

/** A charge with the outcome of a call to the acquirer, and the answer of the operation. */
export type SavedOutcome = { charge: Charge; answer: ChargeMessage }
