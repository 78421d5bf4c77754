CREATE TYPE boleto_status AS ENUM ('PENDING', 'REGISTERED', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUSED');
CREATE TYPE receipt_reason AS ENUM (
  'UNDERPAID', 'OVERPAID', 'ALREADY_PAID', 'INVOICE_VOIDED', 'AFTER_EXPIRY', 'UNKNOWN_BOLETO');

-- What a slip's own number is made from: it never repeats.
CREATE SEQUENCE boleto_ids;

-- Bank slips. Amounts in cents.
CREATE TABLE boletos (
  id                   bigint        PRIMARY KEY,
  seller_id            bigint        NOT NULL,
  invoice_id           bigint        NOT NULL REFERENCES invoices,
  -- Names its PDF.
  public_id            text          NOT NULL,
  status               boleto_status NOT NULL,
  -- The seller's account at the bank: its agreement.
  account              text          NOT NULL,
  our_number           text          NOT NULL,
  -- NULL before it is registered.
  barcode              text,
  digitable_line       text,
  document_number      text          NOT NULL,
  due_day              date          NOT NULL,
  -- The first day on which fine and interest count.
  late_on              date          NOT NULL,
  -- The last day on which banks take it.
  payable_until        date          NOT NULL,
  amount               bigint        NOT NULL,
  fine                 json,
  interest             json,
  instructions         json          NOT NULL,
  payer_name           text          NOT NULL,
  payer_document       text          NOT NULL,
  payer_address        text          NOT NULL,
  -- As the bank knows its client; NULL before it is registered.
  beneficiary_name     text,
  beneficiary_document text,
  beneficiary_agency   text,
  beneficiary_account  text,
  beneficiary_address  text,
  -- Why the bank refused it, in its words.
  refusal              text,
  -- The registration leaves by then or not at all.
  dispatch_deadline    timestamptz   NOT NULL,
  -- The mark of the request that asked for it, until that is answered.
  operation_id         uuid,
  -- The bank is to be told that nobody is to pay it.
  withdrawing          boolean       NOT NULL,
  -- How often the bank was asked about it in vain, and when it is looked at next.
  asks                 int           NOT NULL DEFAULT 0,
  ask_at               timestamptz,
  version              int           NOT NULL,
  created_at           timestamptz   NOT NULL,
  updated_at           timestamptz   NOT NULL,
  CONSTRAINT boletos_public_id UNIQUE (public_id),
  CONSTRAINT boletos_our_number UNIQUE (our_number),
  CONSTRAINT boletos_whole CHECK (
    amount BETWEEN 1 AND 9999999999 AND our_number ~ '^[0-9]{17}$' AND payable_until >= due_day
    AND (barcode ~ '^[0-9]{44}$') IS NOT FALSE AND (digitable_line ~ '^[0-9]{47}$') IS NOT FALSE
    AND (barcode IS NULL) = (digitable_line IS NULL) AND (barcode IS NULL) = (beneficiary_name IS NULL)
    AND (status NOT IN ('REGISTERED', 'EXPIRED') OR barcode IS NOT NULL)
    AND (NOT withdrawing OR status = 'CANCELLED') AND (status = 'REFUSED') = (refusal IS NOT NULL)
    AND (status <> 'PENDING' OR ask_at IS NOT NULL) AND (NOT withdrawing OR ask_at IS NOT NULL))
);
CREATE INDEX boletos_invoice ON boletos (invoice_id, id);
CREATE INDEX boletos_due ON boletos (ask_at) WHERE ask_at IS NOT NULL;
-- An invoice has one slip that can be paid at a time.
CREATE UNIQUE INDEX boletos_one_open ON boletos (invoice_id) WHERE status IN ('PENDING', 'REGISTERED');

-- Money that the bank says came in, each once. What no invoice takes waits for a person. Amounts in cents.
CREATE TABLE receipts (
  id             bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- NULL: of an account that no seller has been seen with.
  seller_id      bigint,
  account        text           NOT NULL,
  -- What the bank calls it.
  bank_id        text           NOT NULL,
  our_number     text           NOT NULL,
  boleto_id      bigint         REFERENCES boletos,
  invoice_id     bigint         REFERENCES invoices,
  amount         bigint         NOT NULL,
  -- Of the amount, what no invoice takes.
  unexpected     bigint         NOT NULL,
  is_unexpected  boolean        NOT NULL GENERATED ALWAYS AS (unexpected > 0) STORED,
  reason         receipt_reason,
  paid_at        timestamptz    NOT NULL,
  resolved_at    timestamptz,
  is_resolved    boolean        NOT NULL GENERATED ALWAYS AS (resolved_at IS NOT NULL) STORED,
  resolution     text,
  created_at     timestamptz    NOT NULL,
  CONSTRAINT receipts_once UNIQUE (account, bank_id),
  CONSTRAINT receipts_whole CHECK (
    amount > 0 AND unexpected BETWEEN 0 AND amount AND (unexpected > 0) = (reason IS NOT NULL)
    AND (resolved_at IS NULL) = (resolution IS NULL) AND (resolved_at IS NULL OR unexpected > 0)
    AND length(resolution) <= 2000)
);
-- The list of what waits for a person, newest first.
CREATE INDEX receipts_unexpected ON receipts (seller_id, is_unexpected, is_resolved, created_at, id);
CREATE INDEX receipts_boleto ON receipts (boleto_id) WHERE boleto_id IS NOT NULL;
-- Looked for the seller of an account whose slip is not known.
CREATE INDEX boletos_account ON boletos (account, id);
