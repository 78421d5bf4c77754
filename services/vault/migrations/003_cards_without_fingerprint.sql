-- Nothing asks whether two cards are the same: what is derived of a number rests nowhere.
ALTER TABLE cards DROP COLUMN fingerprint;
