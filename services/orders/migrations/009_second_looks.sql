-- A charge that failed because the acquirer did not know its sale: since when, and when it is asked about once more.
-- Safe while the old code runs: it neither reads nor writes the columns.
ALTER TABLE charges
  ADD COLUMN absent_since timestamptz,
  ADD COLUMN look_again_at timestamptz;
CREATE INDEX charges_to_look_at ON charges (look_again_at) WHERE look_again_at IS NOT NULL;
