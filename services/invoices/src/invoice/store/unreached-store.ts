/** An invoice `t` of which nobody was mailed when it was made, as the partial index says it. */
const UNMAILED = `t.status = 'CLOSED' AND t.recurring_invoice_id IS NOT NULL AND t.customer_email IS NULL`

const PERMITTED = `EXISTS (SELECT FROM pix_permissions p WHERE p.recurring_invoice_id = r.id AND p.status = 'APPROVED'
  AND NOT p.cancelling)`

/** A card may still be charged for an invoice `t` by itself: one that was not refused for it. */
const CHARGEABLE = `EXISTS (SELECT FROM automatic_charges a, unnest(ARRAY[r.card_id, c.kept_card_id]) AS card
  WHERE a.invoice_id = t.id AND a.status IN ('WAITING', 'TRYING', 'NEEDS_CARD') AND card IS NOT NULL
    AND card <> ALL(a.refused_cards))`

/**
 * Why an invoice `t` reaches nobody, as things are now; NULL: it reaches somebody. Only what a recurring invoice makes is
 * Cofre's to deliver: of any other invoice the seller has the link. The slips of a booklet are printed.
 */
export const UNREACHED = `CASE WHEN ${UNMAILED} THEN (
    SELECT CASE WHEN c.email IS NOT NULL THEN NULL
      WHEN r.collection_method = 'SEND_INVOICE' THEN CASE r.kind WHEN 'RECURRING' THEN 'NOBODY_TO_MAIL' END
      WHEN NOT ${PERMITTED} AND NOT ${CHARGEABLE} THEN 'NOBODY_TO_CHARGE' END
    FROM recurring_invoices r LEFT JOIN customers c ON c.id = t.customer_id AND c.seller_id = t.seller_id
    WHERE r.id = t.recurring_invoice_id) END`

/** The condition of a list: those that reach nobody, or the others. `$` is true. */
export function unreachedIs(wanted: boolean): string {
  return `${wanted ? '' : 'NOT '}(${UNMAILED} AND ${UNREACHED} IS NOT NULL) AND $`
}
