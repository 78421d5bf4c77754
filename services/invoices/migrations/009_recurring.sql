CREATE TYPE recurring_invoice_kind AS ENUM ('RECURRING', 'BOOKLET');
CREATE TYPE recurring_invoice_status AS ENUM ('ACTIVE', 'PAUSED', 'FINISHED', 'CANCELLED');
CREATE TYPE billing_frequency AS ENUM
  ('WEEKLY', 'BIWEEKLY', 'MONTHLY', 'BIMONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'YEARLY');
CREATE TYPE collection_method AS ENUM ('CHARGE_AUTOMATICALLY', 'SEND_INVOICE');

-- What a customer is billed again and again. Amounts in cents. Days are those of America/Sao_Paulo.
CREATE TABLE recurring_invoices (
  id                 bigint                   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id          bigint                   NOT NULL,
  kind               recurring_invoice_kind   NOT NULL,
  status             recurring_invoice_status NOT NULL,
  customer_id        bigint                   NOT NULL,
  -- As it was when the recurring invoice was made: lists are filtered by it.
  customer_document  text                     NOT NULL,
  frequency          billing_frequency        NOT NULL,
  collection_method  collection_method        NOT NULL,
  order_reference    text,
  days_until_due     int                      NOT NULL,
  -- The day of the first cycle; every later one is counted from it.
  anchor_day         date                     NOT NULL,
  -- The due date of the first cycle where the seller gave it.
  first_due_date     timestamptz,
  -- Of a booklet: how many invoices it has.
  charges            int,
  -- The stored card that is charged; NULL: the one that the customer keeps.
  card_id            bigint,
  -- What becomes of an invoice once its last automatic charge failed: false: it stays past due; true: UNCOLLECTIBLE.
  gives_up           boolean                  NOT NULL DEFAULT false,
  -- Of its invoices, as in `invoices`.
  accepted_methods   json,
  splits             json                     NOT NULL,
  fine               json,
  interest           json,
  notification_url   text,
  success_url        text,
  -- Invoices made so far.
  cycles_billed      int                      NOT NULL DEFAULT 0,
  -- The place in the schedule of the cycle that comes next, from 0; cycles that fell in a pause are left out.
  next_period        int                      NOT NULL DEFAULT 0,
  -- The day of that cycle; NULL: none comes.
  next_cycle_day     date,
  -- Counts the events told.
  sequence           int                      NOT NULL,
  created_at         timestamptz              NOT NULL,
  updated_at         timestamptz              NOT NULL,
  CONSTRAINT recurring_invoices_whole CHECK (
    days_until_due BETWEEN 0 AND 365 AND cycles_billed >= 0 AND next_period >= 0
    AND (kind = 'BOOKLET') = (charges IS NOT NULL) AND (charges IS NULL OR charges BETWEEN 1 AND 120)
    AND (status = 'ACTIVE') = (next_cycle_day IS NOT NULL)
    AND (order_reference IS NULL OR length(order_reference) BETWEEN 1 AND 255))
);
CREATE INDEX recurring_invoices_newest ON recurring_invoices (seller_id, created_at, id);
CREATE INDEX recurring_invoices_status ON recurring_invoices (seller_id, status, created_at, id);
CREATE INDEX recurring_invoices_document ON recurring_invoices (seller_id, customer_document, created_at, id);
CREATE INDEX recurring_invoices_reference ON recurring_invoices (seller_id, order_reference, created_at, id)
  WHERE order_reference IS NOT NULL;
CREATE INDEX recurring_invoices_customer ON recurring_invoices (customer_id) WHERE status IN ('ACTIVE', 'PAUSED');
-- Those that are to be billed, the first due first.
CREATE INDEX recurring_invoices_due ON recurring_invoices (next_cycle_day, id) WHERE next_cycle_day IS NOT NULL;

CREATE TABLE recurring_items (
  recurring_invoice_id bigint   NOT NULL REFERENCES recurring_invoices,
  -- Counted within the recurring invoice, from 1.
  id                   smallint NOT NULL,
  product_id           bigint   NOT NULL,
  -- The product's name when the recurring invoice was made: printed once the product is deleted.
  description          text     NOT NULL,
  quantity             int      NOT NULL,
  unit_price           bigint   NOT NULL,
  -- The cycle that it is billed in, from 1; NULL: in each.
  cycle                int,
  PRIMARY KEY (recurring_invoice_id, id),
  CONSTRAINT recurring_items_whole CHECK (
    id BETWEEN 1 AND 1000 AND quantity BETWEEN 1 AND 1000000 AND unit_price BETWEEN 0 AND 99999999999 AND cycle >= 1)
);

-- The recurring invoice that made it, and in which of its cycles, from 1: a cycle is billed once.
ALTER TABLE invoices ADD COLUMN recurring_invoice_id bigint REFERENCES recurring_invoices;
ALTER TABLE invoices ADD COLUMN cycle int;
CREATE UNIQUE INDEX invoices_cycle ON invoices (recurring_invoice_id, cycle) WHERE recurring_invoice_id IS NOT NULL;

CREATE TYPE automatic_charge_status AS ENUM ('WAITING', 'TRYING', 'PAID', 'NEEDS_CARD', 'GIVEN_UP', 'STOPPED');

-- Invoices that a stored card is charged for without anybody asking.
CREATE TABLE automatic_charges (
  invoice_id      bigint                  PRIMARY KEY REFERENCES invoices,
  seller_id       bigint                  NOT NULL,
  customer_id     bigint                  NOT NULL,
  status          automatic_charge_status NOT NULL,
  -- Attempts that reached the issuer, or may have.
  attempts        int                     NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  -- Why it stands as it does: a word that the API shows.
  reason          text,
  created_at      timestamptz             NOT NULL,
  updated_at      timestamptz             NOT NULL,
  CONSTRAINT automatic_charges_whole CHECK (
    attempts >= 0 AND (status = 'WAITING') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX automatic_charges_due ON automatic_charges (next_attempt_at, invoice_id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX automatic_charges_customer ON automatic_charges (customer_id) WHERE status IN ('WAITING', 'NEEDS_CARD');

-- When the customer of an invoice is next reminded of it; the row goes with the last reminder.
CREATE TABLE reminders (
  invoice_id bigint      PRIMARY KEY REFERENCES invoices,
  -- How many were due so far, sent or not.
  passed     int         NOT NULL DEFAULT 0,
  remind_at  timestamptz NOT NULL,
  CONSTRAINT reminders_whole CHECK (passed >= 0)
);
CREATE INDEX reminders_due ON reminders (remind_at, invoice_id);

-- How far the billing clock was moved beyond the machine's, milliseconds. No row: it was not.
CREATE TABLE billing_clock (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  beyond_ms bigint  NOT NULL CHECK (beyond_ms >= 0)
);
