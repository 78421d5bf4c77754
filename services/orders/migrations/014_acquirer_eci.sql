-- The ECI that the acquirer answered, two digits; empty: it answered none. It may be less than the one that was sent.
-- Safe while the old code runs: it neither reads nor writes the column.
ALTER TABLE payments ADD COLUMN acquirer_eci text NOT NULL DEFAULT '';
