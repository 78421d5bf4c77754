-- Who closed an operation by hand, why and when. Safe while the old code runs: it neither reads nor writes the column.
ALTER TABLE transactions ADD COLUMN resolution json;
