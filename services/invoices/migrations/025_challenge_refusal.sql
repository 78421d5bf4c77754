-- Why an authenticated payer was charged nothing; NULL: it was not so, or the issuer did not authenticate the payer.
ALTER TABLE challenges ADD COLUMN refusal text;
