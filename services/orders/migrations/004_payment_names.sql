-- A statement is planned once, for any values: where the sample of the statistics has one name for all payments, PostgreSQL
-- believes that each name finds them all, and looks for an unknown one in the whole table. In truth, the acquirer's names differ
-- from payment to payment, and there are so many last four digits.
ALTER TABLE payments
  ALTER COLUMN tid SET (n_distinct = -1),
  ALTER COLUMN nsu SET (n_distinct = -1),
  ALTER COLUMN authorization_code SET (n_distinct = -1),
  ALTER COLUMN acquirer_payment_id SET (n_distinct = -1),
  ALTER COLUMN last_four SET (n_distinct = 10000);
ANALYZE payments (tid, nsu, authorization_code, acquirer_payment_id, last_four);
