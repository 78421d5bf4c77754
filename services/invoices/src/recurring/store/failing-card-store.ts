import { COUNTED_MAX } from '@cofre/platform/list-page'

/** The card of an automatic charge `a` fails or was given up, as the partial index says it. One that nobody kept has not failed. */
const FAILING = `CASE a.status WHEN 'GIVEN_UP' THEN true WHEN 'NEEDS_CARD' THEN a.attempts > 0 OR a.reason <> 'NO_CARD'
  WHEN 'WAITING' THEN a.attempts > 0 END`

/** Cards are charged for a plan `t`, or for what is left of a booklet. */
const CHARGES = `t.status IN ('ACTIVE', 'FINISHED') AND t.collection_method = 'CHARGE_AUTOMATICALLY'`

/** What became of the card of a plan `t` for invoices that wait for their payment; NULL: nothing that somebody has to see to. */
export const FAILING_CARD = `CASE WHEN ${CHARGES} THEN (
    SELECT CASE WHEN bool_or(a.status = 'GIVEN_UP') THEN 'CARD_GIVEN_UP' WHEN count(*) > 0 THEN 'CARD_FAILS' END
    FROM invoices i JOIN automatic_charges a ON a.invoice_id = i.id
    WHERE i.recurring_invoice_id = t.id AND i.status = 'CLOSED' AND ${FAILING}) END`

/**
 * LIMIT keeps the search at the failing charges, of which those of the newest invoices count: each leads to its invoice,
 * and no other invoice is read.
 */
const FAILING_PLANS = `SELECT plan FROM (
    SELECT (SELECT i.recurring_invoice_id FROM invoices i WHERE i.id = a.invoice_id AND i.status = 'CLOSED') AS plan
    FROM automatic_charges a WHERE a.seller_id = $ AND ${FAILING}
    ORDER BY a.invoice_id DESC LIMIT ${COUNTED_MAX + 1}) failing WHERE plan IS NOT NULL`

/** The condition of a list: plans whose card fails or was given up, or the others. `$` is the seller. */
export function cardFailsIs(wanted: boolean): string {
  return wanted
    ? `${CHARGES} AND t.id = ANY(ARRAY(${FAILING_PLANS}))`
    : `NOT (${CHARGES} AND t.id IN (${FAILING_PLANS}))`
}
