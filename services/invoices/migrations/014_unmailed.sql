-- Invoices of which nobody was mailed when their cycle was billed, while they wait for payment: few, and those that may reach
-- nobody are among them.
CREATE INDEX invoices_unmailed ON invoices (seller_id, created_at, id)
  INCLUDE (status, past_due_notified, due_date, close_date, payment_date)
  WHERE status = 'CLOSED' AND recurring_invoice_id IS NOT NULL AND customer_email IS NULL;
