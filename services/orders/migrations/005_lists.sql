-- Each list of charges, whatever it is filtered by, reads its page and its count from one index, newest first.
-- The filters by time and by nothing share one. Charges without a reference are in no index of references.
DROP INDEX charges_newest, charges_created_at, charges_order_reference, charges_external_reference;
CREATE INDEX charges_newest ON charges (seller_id, created_at, id);
CREATE INDEX charges_status ON charges (seller_id, status, created_at, id);
CREATE INDEX charges_order_reference ON charges (seller_id, order_reference, created_at, id)
  WHERE order_reference IS NOT NULL;
CREATE INDEX charges_external_reference ON charges (seller_id, external_reference, created_at, id)
  WHERE external_reference IS NOT NULL;
