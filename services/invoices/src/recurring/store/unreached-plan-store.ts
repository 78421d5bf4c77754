/** A card may be charged for what a plan `t` makes. */
const CHARGEABLE = `(coalesce(t.card_id, c.kept_card_id) IS NOT NULL
  AND t.accepted_methods::jsonb @> '[{"method": "CREDIT_CARD"}]')`

const PERMITTED = `EXISTS (SELECT FROM pix_permissions p WHERE p.recurring_invoice_id = t.id AND p.status = 'APPROVED'
  AND NOT p.cancelling)`

/** Of a booklet, all of whose invoices are made, one still waits for its payment. */
const OPEN = `(t.status <> 'FINISHED'
  OR EXISTS (SELECT FROM invoices i WHERE i.recurring_invoice_id = t.id AND i.status = 'CLOSED'))`

/** Why the invoices of a recurring invoice `t` reach nobody, as things are now; NULL: they reach somebody. */
export const UNREACHED_PLAN = `CASE WHEN t.status <> 'CANCELLED' AND ${OPEN}
    AND (t.kind = 'RECURRING' OR t.collection_method = 'CHARGE_AUTOMATICALLY') THEN (
    SELECT CASE WHEN t.collection_method = 'SEND_INVOICE' THEN 'NOBODY_TO_MAIL'
      WHEN NOT ${CHARGEABLE} AND NOT ${PERMITTED} THEN 'NOBODY_TO_CHARGE' END
    FROM customers c WHERE c.id = t.customer_id AND c.seller_id = t.seller_id AND c.email IS NULL) END`
