-- The payment link of a product: who has its token may buy. The release before makes products without one.
ALTER TABLE products ADD COLUMN link_token text NOT NULL
  DEFAULT translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_');
ALTER TABLE products ADD CONSTRAINT products_link_token UNIQUE (link_token);

-- The product by whose link it was made. What the card statement says, and the store that charges the card, where it says so.
ALTER TABLE invoices
  ADD COLUMN payment_link_product_id bigint,
  ADD COLUMN soft_descriptor text,
  ADD COLUMN affiliate_id bigint;
-- As the other lists of invoices: the page and the count are read from it.
CREATE INDEX invoices_payment_link ON invoices (seller_id, payment_link_product_id, created_at, id)
  INCLUDE (status, past_due_notified, due_date, close_date, payment_date) WHERE payment_link_product_id IS NOT NULL;
