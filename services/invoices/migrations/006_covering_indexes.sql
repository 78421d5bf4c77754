-- Filters combine: an index that a list is read from tells what the other filters ask for, so that a list reads no invoice
-- that it does not answer with. A statement is planned once, for any values: which index it takes does not depend on how
-- many invoices the values find.
DROP INDEX invoices_newest, invoices_status, invoices_document, invoices_past_due, invoices_due_date, invoices_close_date,
  invoices_payment_date;
CREATE INDEX invoices_newest ON invoices (seller_id, created_at, id)
  INCLUDE (status, past_due_told, due_date, close_date, payment_date);
CREATE INDEX invoices_status ON invoices (seller_id, status, created_at, id)
  INCLUDE (past_due_told, due_date, close_date, payment_date);
CREATE INDEX invoices_document ON invoices (seller_id, customer_document, created_at, id)
  INCLUDE (status, past_due_told, due_date, close_date, payment_date);
CREATE INDEX invoices_past_due ON invoices (seller_id, past_due_told, created_at, id)
  INCLUDE (status, due_date, close_date, payment_date);
CREATE INDEX invoices_due_date ON invoices (seller_id, due_date, created_at, id)
  INCLUDE (status, past_due_told, close_date, payment_date);
CREATE INDEX invoices_close_date ON invoices (seller_id, close_date, created_at, id)
  INCLUDE (status, past_due_told, due_date, payment_date) WHERE close_date IS NOT NULL;
CREATE INDEX invoices_payment_date ON invoices (seller_id, payment_date, created_at, id)
  INCLUDE (status, past_due_told, due_date, close_date) WHERE payment_date IS NOT NULL;
