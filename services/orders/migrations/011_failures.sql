-- Why an operation failed. Safe while the old code runs: it neither reads nor writes the column.
ALTER TABLE transactions ADD COLUMN failure json;
