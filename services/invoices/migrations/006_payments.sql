CREATE TYPE invoice_payment_method AS ENUM ('CREDIT_CARD', 'BOLETO');
CREATE TYPE invoice_transaction_status AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');

-- How it was paid.
ALTER TABLE invoice_charges ADD COLUMN method invoice_payment_method;
ALTER TABLE invoice_charges ADD CONSTRAINT invoice_charges_method CHECK ((status = 'PAID') = (method IS NOT NULL));

-- The card that the customer lets the seller charge by itself: an id of the vault's. It is ours where a payment had it
-- stored, and not the seller: then it is destroyed when the customer keeps it no more.
ALTER TABLE customers ADD COLUMN kept_card_id bigint;
ALTER TABLE customers ADD COLUMN kept_card_is_ours boolean NOT NULL DEFAULT false;

-- Cards of ours that nobody keeps any more: the vault is asked to destroy them.
CREATE TABLE discarded_cards (
  seller_id bigint      NOT NULL,
  card_id   bigint      NOT NULL,
  asks      int         NOT NULL DEFAULT 0,
  ask_at    timestamptz NOT NULL,
  PRIMARY KEY (card_id)
);
CREATE INDEX discarded_cards_due ON discarded_cards (ask_at);

-- Attempts to pay an invoice. Amounts in cents.
CREATE TABLE invoice_transactions (
  id                bigint                     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id         bigint                     NOT NULL,
  invoice_id        bigint                     NOT NULL REFERENCES invoices,
  charge_id         bigint                     NOT NULL REFERENCES invoice_charges,
  type              invoice_payment_method     NOT NULL,
  status            invoice_transaction_status NOT NULL,
  -- What the payer pays.
  amount            bigint                     NOT NULL,
  -- What the invoice asked for then: the amount without a fee that the payer bears.
  payable           bigint                     NOT NULL,
  -- Of the orders service; NULL: none was made, or it is not known.
  order_charge_id   bigint,
  decline           json,
  -- Of a card: its operation's idempotency key at the orders service, and until when the call may leave.
  operation_id      uuid,
  dispatch_deadline timestamptz,
  -- The card of the vault's that the customer keeps once this payment succeeds.
  keep_card_id      bigint,
  keep_card_is_ours boolean                    NOT NULL DEFAULT false,
  -- The money came to an invoice that cannot take it: it is given back.
  give_back         boolean                    NOT NULL,
  -- How often the orders service was asked what became of it, and when it is asked next.
  asks              int                        NOT NULL DEFAULT 0,
  ask_at            timestamptz,
  created_at        timestamptz                NOT NULL,
  updated_at        timestamptz                NOT NULL,
  CONSTRAINT invoice_transactions_operation UNIQUE (operation_id),
  CONSTRAINT invoice_transactions_order_charge UNIQUE (seller_id, order_charge_id),
  CONSTRAINT invoice_transactions_whole CHECK (
    amount BETWEEN 0 AND 99999999999 AND payable BETWEEN 0 AND amount AND asks >= 0
    AND (status = 'FAILED' OR decline IS NULL) AND (status = 'PENDING' OR NOT give_back)
    AND (type = 'CREDIT_CARD') = (operation_id IS NOT NULL) AND (type = 'CREDIT_CARD') = (dispatch_deadline IS NOT NULL)
    AND (type = 'CREDIT_CARD' OR order_charge_id IS NULL))
);
CREATE INDEX invoice_transactions_invoice ON invoice_transactions (invoice_id, id);
CREATE INDEX invoice_transactions_due ON invoice_transactions (ask_at) WHERE ask_at IS NOT NULL;
-- A card is charged for an invoice once at a time.
CREATE UNIQUE INDEX invoice_transactions_one_card ON invoice_transactions (invoice_id)
  WHERE status = 'PENDING' AND type = 'CREDIT_CARD';
