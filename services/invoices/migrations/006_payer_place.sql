-- The payer's address as the bank is told of it; NULL where it lacks what banks ask for.
ALTER TABLE boletos ADD COLUMN payer_place json;
