-- What customers owe, the oldest first: of a seller, and of a customer. A purchase by a payment link that nobody has paid is
-- no debt.
CREATE INDEX invoices_owed ON invoices (seller_id, late_on, id) INCLUDE (customer_id, due_date, late_from, open_principal)
  WHERE status = 'CLOSED' AND (payment_link_product_id IS NULL OR paid_amount > 0);
CREATE INDEX invoices_owed_by ON invoices (seller_id, customer_id, late_on, id)
  WHERE status = 'CLOSED' AND (payment_link_product_id IS NULL OR paid_amount > 0);
