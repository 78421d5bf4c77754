-- A statement is planned once, for any values: where the sample of the statistics has one value only, PostgreSQL believes
-- that each value finds all rows, and reads them all to find those of a rare one. These columns have so many values, common or not.
ALTER TABLE movements
  ALTER COLUMN kind SET (n_distinct = 6),
  ALTER COLUMN method SET (n_distinct = 4);
ALTER TABLE invoices
  ALTER COLUMN status SET (n_distinct = 5),
  ALTER COLUMN past_due_notified SET (n_distinct = 2);
ANALYZE movements (kind, method);
ANALYZE invoices (status, past_due_notified);
