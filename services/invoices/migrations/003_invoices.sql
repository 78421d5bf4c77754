CREATE TYPE invoice_status AS ENUM ('OPEN', 'CLOSED', 'PAID', 'CANCELLED', 'UNCOLLECTIBLE');
CREATE TYPE invoice_charge_status AS ENUM ('PENDING', 'PAID', 'CANCELLED');

-- The highest number that was made for each seller. A row, not a sequence: what is rolled back leaves no gap.
CREATE TABLE invoice_numbers (
  seller_id bigint PRIMARY KEY,
  last      bigint NOT NULL
);

-- Amounts in cents.
CREATE TABLE invoices (
  id                 bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id          bigint         NOT NULL,
  -- Names the page on which it is paid.
  public_id          text           NOT NULL,
  status             invoice_status NOT NULL,
  invoice_number     text           NOT NULL,
  -- Of a customer that may be deleted since; what was printed of it stays.
  customer_id        bigint         NOT NULL,
  customer_name      text           NOT NULL,
  customer_document  text           NOT NULL,
  customer_email     text,
  due_date           timestamptz    NOT NULL,
  -- The first day on which it is late.
  late_on            date           NOT NULL,
  close_date         timestamptz,
  payment_date       timestamptz,
  payment_limit_date timestamptz,
  -- The seller was told that it is past due.
  past_due_told      boolean        NOT NULL,
  amount             bigint         NOT NULL,
  paid_amount        bigint         NOT NULL,
  refunded_amount    bigint         NOT NULL,
  -- NULL: all.
  accepted_methods   json,
  splits             json           NOT NULL,
  fine               json,
  interest           json,
  notification_url   text,
  success_url        text,
  -- Counts the events told.
  sequence           int            NOT NULL,
  created_at         timestamptz    NOT NULL,
  updated_at         timestamptz    NOT NULL,
  CONSTRAINT invoices_public_id UNIQUE (public_id),
  CONSTRAINT invoices_number UNIQUE (seller_id, invoice_number),
  CONSTRAINT invoices_whole CHECK (
    amount BETWEEN 0 AND 99999999999 AND length(invoice_number) BETWEEN 1 AND 255
    AND (status = 'PAID') = (payment_date IS NOT NULL)
    AND (status <> 'CLOSED' OR close_date IS NOT NULL) AND (status <> 'OPEN' OR close_date IS NULL)
    AND (NOT past_due_told OR status IN ('OPEN', 'CLOSED'))
    AND paid_amount >= 0 AND refunded_amount BETWEEN 0 AND paid_amount)
);
-- Each list of invoices, whatever it is filtered by, reads its count from one index, and its page too.
-- Filters combine: an index that a list is read from tells what the other filters ask for, so that a list reads no invoice
-- that it does not answer with. A statement is planned once, for any values: which index it takes does not depend on how
-- many invoices the values find.
CREATE INDEX invoices_newest ON invoices (seller_id, created_at, id)
  INCLUDE (status, past_due_told, due_date, close_date, payment_date);
CREATE INDEX invoices_status ON invoices (seller_id, status, created_at, id)
  INCLUDE (past_due_told, due_date, close_date, payment_date);
CREATE INDEX invoices_document ON invoices (seller_id, customer_document, created_at, id)
  INCLUDE (status, past_due_told, due_date, close_date, payment_date);
CREATE INDEX invoices_past_due ON invoices (seller_id, past_due_told, created_at, id)
  INCLUDE (status, due_date, close_date, payment_date);
CREATE INDEX invoices_due_date ON invoices (seller_id, due_date, created_at, id)
  INCLUDE (status, past_due_told, close_date, payment_date);
CREATE INDEX invoices_close_date ON invoices (seller_id, close_date, created_at, id)
  INCLUDE (status, past_due_told, due_date, payment_date) WHERE close_date IS NOT NULL;
CREATE INDEX invoices_payment_date ON invoices (seller_id, payment_date, created_at, id)
  INCLUDE (status, past_due_told, due_date, close_date) WHERE payment_date IS NOT NULL;
-- Those of which the seller is to be told that they are past due.
CREATE INDEX invoices_late ON invoices (late_on, seller_id) WHERE NOT past_due_told AND status IN ('OPEN', 'CLOSED');

CREATE TABLE invoice_items (
  invoice_id  bigint   NOT NULL REFERENCES invoices,
  -- Counted within the invoice, from 1.
  id          smallint NOT NULL,
  -- Of a product that may be deleted since.
  product_id  bigint   NOT NULL,
  description text     NOT NULL,
  quantity    int      NOT NULL,
  unit_price  bigint   NOT NULL,
  PRIMARY KEY (invoice_id, id),
  CONSTRAINT invoice_items_whole CHECK (
    id BETWEEN 1 AND 500 AND quantity BETWEEN 1 AND 1000000 AND unit_price BETWEEN 0 AND 99999999999)
);

-- What a finalized invoice asks for.
CREATE TABLE invoice_charges (
  id         bigint                GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id  bigint                NOT NULL,
  invoice_id bigint                NOT NULL REFERENCES invoices,
  status     invoice_charge_status NOT NULL,
  amount     bigint                NOT NULL,
  created_at timestamptz           NOT NULL,
  updated_at timestamptz           NOT NULL,
  CONSTRAINT invoice_charges_amount CHECK (amount BETWEEN 0 AND 99999999999)
);
CREATE INDEX invoice_charges_invoice ON invoice_charges (invoice_id, id);
-- An invoice asks for its amount once at a time.
CREATE UNIQUE INDEX invoice_charges_one_alive ON invoice_charges (invoice_id) WHERE status <> 'CANCELLED';
