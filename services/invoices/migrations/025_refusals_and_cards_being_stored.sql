-- Why an authenticated payer was charged nothing; NULL: it was not so, or the issuer did not authenticate the payer.
ALTER TABLE challenges ADD COLUMN refusal text;
-- Cards that the vault is asked to store for a payment, until the payment notes them. What stays here is asked for and destroyed.
CREATE TABLE cards_being_stored (
  -- Of the payment; the vault names the card by it.
  operation_id uuid        NOT NULL PRIMARY KEY,
  seller_id    bigint      NOT NULL,
  asks         int         NOT NULL DEFAULT 0,
  ask_at       timestamptz NOT NULL
);
CREATE INDEX cards_being_stored_due ON cards_being_stored (ask_at);
