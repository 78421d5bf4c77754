-- A charge that nobody was asked for at the time: the seller has the payer's consent. Cards are not tested by such ones.
ALTER TABLE payments ADD COLUMN merchant_initiated boolean NOT NULL DEFAULT false;
