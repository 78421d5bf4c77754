-- Whom a seller bills.
CREATE TABLE customers (
  id                 bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id          bigint      NOT NULL,
  name               text        NOT NULL,
  -- As it is searched: its words, in lower case and without accents.
  name_key           text        NOT NULL,
  -- CPF or CNPJ, without mask.
  document           text        NOT NULL,
  birthdate          date,
  phone_country_code int,
  phone_area_code    int,
  phone_number       bigint,
  email              text,
  email_key          text,
  street             text,
  street_number      text,
  line_two           text,
  neighborhood       text,
  state              text,
  zip_code           text,
  city               text,
  -- The card that the customer lets the seller charge by itself: an id of the vault's. It is ours where a payment had it
  -- stored, and not the seller: then it is destroyed when the customer keeps it no more.
  kept_card_id       bigint,
  kept_card_is_ours  boolean     NOT NULL DEFAULT false,
  kept_card_at       timestamptz,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  CONSTRAINT customers_name CHECK (length(name) BETWEEN 1 AND 255),
  CONSTRAINT customers_document CHECK (document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  CONSTRAINT customers_address CHECK ((state ~ '^[A-Z]{2}$') IS NOT FALSE AND (zip_code ~ '^[0-9]{8}$') IS NOT FALSE)
);
-- Each list of customers reads its page and its count from one index, newest first.
CREATE INDEX customers_newest ON customers (seller_id, created_at, id);
CREATE INDEX customers_document ON customers (seller_id, document, created_at, id);
-- A search by the beginnings of words reads those of one seller.
CREATE FUNCTION customer_words(seller_id bigint, name_key text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT array_to_tsvector(ARRAY(SELECT seller_id || ':' || word FROM unnest(string_to_array(name_key, ' ')) word
    WHERE word <> ''))$$;
CREATE INDEX customers_words ON customers USING gin (customer_words(seller_id, name_key));
CREATE INDEX customers_email ON customers (seller_id, email_key, created_at, id);

-- Cards that the vault is asked to store for a payment, until the payment notes them. What stays here is asked for and destroyed.
CREATE TABLE cards_being_stored (
  -- Of the payment; the vault names the card by it.
  operation_id uuid        NOT NULL PRIMARY KEY,
  seller_id    bigint      NOT NULL,
  asks         int         NOT NULL DEFAULT 0,
  ask_at       timestamptz NOT NULL
);
CREATE INDEX cards_being_stored_due ON cards_being_stored (ask_at);

-- Cards of ours that nobody keeps any more: the vault is asked to destroy them.
CREATE TABLE discarded_cards (
  seller_id bigint      NOT NULL,
  card_id   bigint      NOT NULL,
  asks      int         NOT NULL DEFAULT 0,
  ask_at    timestamptz NOT NULL,
  PRIMARY KEY (card_id)
);
CREATE INDEX discarded_cards_due ON discarded_cards (ask_at);

CREATE TYPE product_type AS ENUM ('ONETIME', 'RECURRING');

-- What a seller bills. Amounts in cents.
CREATE TABLE products (
  id               bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id        bigint       NOT NULL,
  product_type     product_type NOT NULL,
  name             text         NOT NULL,
  -- As it is searched: whatever its case and however its accents were composed.
  name_key         text         NOT NULL,
  value            bigint       NOT NULL,
  affiliate_id     bigint,
  soft_descriptor  text,
  max_installments smallint,
  active           boolean      NOT NULL,
  -- A list of names: CREDIT_CARD, BOLETO, PIX.
  methods          json         NOT NULL,
  description      text,
  theme_id         bigint,
  fee_pass_through boolean      NOT NULL,
  created_at       timestamptz  NOT NULL,
  updated_at       timestamptz  NOT NULL,
  CONSTRAINT products_name CHECK (length(name) BETWEEN 1 AND 255),
  CONSTRAINT products_value CHECK (value BETWEEN 0 AND 99999999999),
  CONSTRAINT products_max_installments CHECK (max_installments BETWEEN 1 AND 12)
);
-- Each list of products reads its page and its count from one index, newest first.
CREATE INDEX products_newest ON products (seller_id, created_at, id);
CREATE INDEX products_name ON products (seller_id, name_key, created_at, id);
CREATE INDEX products_type ON products (seller_id, product_type, created_at, id);
CREATE INDEX products_active ON products (seller_id, active, created_at, id);

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
  -- Whether the seller asked that a start in the past holds as given.
  start_overridden   boolean                  NOT NULL DEFAULT false,
  -- The due date of the first cycle where the seller gave it.
  first_due_date     timestamptz,
  -- Of a booklet: how many invoices it has.
  charges            int,
  -- The stored card that is charged; NULL: the one that the customer keeps.
  card_id            bigint,
  -- What becomes of an invoice once its last automatic charge failed: false: it stays past due; true: UNCOLLECTIBLE.
  gives_up           boolean                  NOT NULL DEFAULT false,
  -- Whether an automatic charge asks for fine and interest too.
  card_pays_fine_and_interest boolean         NOT NULL DEFAULT false,
  -- Of its invoices, as in `invoices`.
  accepted_methods   json                     NOT NULL,
  partial_payments   boolean                  NOT NULL DEFAULT false,
  splits             json                     NOT NULL,
  fine               json,
  interest           json,
  discounts          json                     NOT NULL DEFAULT '[]',
  notification_url   text,
  success_url        text,
  -- Of its letters: the customer's language, and the seller as the customer knows it; NULL: they name no seller.
  language           text                     NOT NULL DEFAULT 'pt-BR',
  seller_name        text,
  -- Invoices made so far.
  cycles_billed      int                      NOT NULL DEFAULT 0,
  -- The place in the schedule of the cycle that comes next, from 0; cycles that fell in a pause are left out.
  next_period        int                      NOT NULL DEFAULT 0,
  -- The day of that cycle; NULL: none comes.
  next_cycle_day     date,
  -- Counts the events sent.
  sequence           int                      NOT NULL,
  created_at         timestamptz              NOT NULL,
  updated_at         timestamptz              NOT NULL,
  CONSTRAINT recurring_invoices_language CHECK (language IN ('pt-BR', 'en')),
  CONSTRAINT recurring_invoices_whole CHECK (
    days_until_due BETWEEN 0 AND 365 AND cycles_billed >= 0 AND next_period >= 0
    AND (kind = 'BOOKLET') = (charges IS NOT NULL) AND (charges IS NULL OR charges BETWEEN 1 AND 120)
    AND (status = 'ACTIVE') = (next_cycle_day IS NOT NULL)
    AND json_array_length(accepted_methods) > 0
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

-- The items of a recurring invoice.
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

CREATE TYPE invoice_status AS ENUM ('OPEN', 'CLOSED', 'PAID', 'CANCELLED', 'UNCOLLECTIBLE');
CREATE TYPE invoice_charge_status AS ENUM ('PENDING', 'PAID', 'CANCELLED');
CREATE TYPE invoice_payment_method AS ENUM ('CREDIT_CARD', 'BOLETO', 'PIX');
-- How money moves: by a method, or outside this service.
CREATE TYPE movement_method AS ENUM ('CREDIT_CARD', 'BOLETO', 'PIX', 'EXTERNAL');

-- The highest number that was made for each seller. A row, not a sequence: what is rolled back leaves no gap.
CREATE TABLE invoice_numbers (
  seller_id bigint PRIMARY KEY,
  last      bigint NOT NULL
);

-- What customers are asked to pay. Amounts in cents.
CREATE TABLE invoices (
  id                   bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id            bigint         NOT NULL,
  -- Names the page on which it is paid.
  public_id            text           NOT NULL,
  status               invoice_status NOT NULL,
  -- The recurring invoice that made it, and in which of its cycles, from 1: a cycle is billed once.
  recurring_invoice_id bigint         REFERENCES recurring_invoices,
  cycle                int,
  invoice_number       text           NOT NULL,
  -- Of a customer that may be deleted since; what was printed of it stays.
  customer_id          bigint         NOT NULL,
  customer_name        text           NOT NULL,
  customer_document    text           NOT NULL,
  customer_email       text,
  due_date             timestamptz    NOT NULL,
  -- Lateness counts from this day where that is not the due date: it was issued later, or the seller's banks were closed.
  late_from            date,
  -- The first day on which it is late.
  late_on              date           NOT NULL,
  close_date           timestamptz,
  payment_date         timestamptz,
  payment_limit_date   timestamptz,
  -- The seller was notified that it is past due, or is once late_notices says so.
  past_due_notified    boolean        NOT NULL,
  amount               bigint         NOT NULL,
  -- Each is the sum of movements of its kind.
  paid_amount          bigint         NOT NULL,
  refunded_amount      bigint         NOT NULL,
  written_off_amount   bigint         NOT NULL DEFAULT 0,
  -- What card holders have taken back of it through their banks, at this moment.
  disputed_amount      bigint         NOT NULL DEFAULT 0,
  -- What is still owed: of the amount, and of the fine and interest that were counted up to a day.
  open_principal       bigint         NOT NULL,
  open_fine            bigint         NOT NULL DEFAULT 0,
  open_interest        bigint         NOT NULL DEFAULT 0,
  open_counted_to      date,
  -- It takes less than the whole.
  partial_payments     boolean        NOT NULL DEFAULT false,
  -- Written when it is made, all of them where the seller named none.
  accepted_methods     json           NOT NULL,
  splits               json           NOT NULL,
  fine                 json,
  interest             json,
  discounts            json           NOT NULL DEFAULT '[]',
  notification_url     text,
  success_url          text,
  -- Counts the events sent.
  sequence             int            NOT NULL,
  created_at           timestamptz    NOT NULL,
  updated_at           timestamptz    NOT NULL,
  CONSTRAINT invoices_public_id UNIQUE (public_id),
  CONSTRAINT invoices_number UNIQUE (seller_id, invoice_number),
  CONSTRAINT invoices_whole CHECK (
    amount BETWEEN 0 AND 99999999999 AND length(invoice_number) BETWEEN 1 AND 255
    AND (status = 'PAID') = (payment_date IS NOT NULL)
    AND (status <> 'CLOSED' OR close_date IS NOT NULL) AND (status <> 'OPEN' OR close_date IS NULL)
    AND (NOT past_due_notified OR status IN ('OPEN', 'CLOSED'))
    AND refunded_amount >= 0 AND disputed_amount >= 0 AND refunded_amount + disputed_amount <= paid_amount
    AND written_off_amount >= 0
    AND open_principal BETWEEN 0 AND amount AND open_fine >= 0 AND open_interest >= 0
    AND (status <> 'PAID' OR open_principal + open_fine + open_interest = 0)
    AND json_array_length(accepted_methods) > 0)
);
-- Each list of invoices, whatever it is filtered by, reads its count from one index, and its page too.
-- Filters combine: an index that a list is read from tells what the other filters ask for, so that a list reads no invoice
-- that it does not answer with. A statement is planned once, for any values: which index it takes does not depend on how
-- many invoices the values find.
CREATE INDEX invoices_newest ON invoices (seller_id, created_at, id)
  INCLUDE (status, past_due_notified, due_date, close_date, payment_date);
CREATE INDEX invoices_status ON invoices (seller_id, status, created_at, id)
  INCLUDE (past_due_notified, due_date, close_date, payment_date);
CREATE INDEX invoices_document ON invoices (seller_id, customer_document, created_at, id)
  INCLUDE (status, past_due_notified, due_date, close_date, payment_date);
CREATE INDEX invoices_past_due ON invoices (seller_id, past_due_notified, created_at, id)
  INCLUDE (status, due_date, close_date, payment_date);
CREATE INDEX invoices_due_date ON invoices (seller_id, due_date, created_at, id)
  INCLUDE (status, past_due_notified, close_date, payment_date);
CREATE INDEX invoices_close_date ON invoices (seller_id, close_date, created_at, id)
  INCLUDE (status, past_due_notified, due_date, payment_date) WHERE close_date IS NOT NULL;
CREATE INDEX invoices_payment_date ON invoices (seller_id, payment_date, created_at, id)
  INCLUDE (status, past_due_notified, due_date, close_date) WHERE payment_date IS NOT NULL;
CREATE INDEX invoices_refunded ON invoices (seller_id, created_at, id)
  INCLUDE (status, past_due_notified, due_date, close_date, payment_date)
  WHERE refunded_amount > 0 AND refunded_amount = paid_amount;
CREATE UNIQUE INDEX invoices_cycle ON invoices (recurring_invoice_id, cycle) WHERE recurring_invoice_id IS NOT NULL;
-- Those that are past due, and the seller is not notified yet.
CREATE INDEX invoices_late ON invoices (late_on, seller_id) WHERE NOT past_due_notified AND status IN ('OPEN', 'CLOSED');

-- The items of an invoice.
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
  id         bigint                 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id  bigint                 NOT NULL,
  invoice_id bigint                 NOT NULL REFERENCES invoices,
  status     invoice_charge_status  NOT NULL,
  amount     bigint                 NOT NULL,
  -- How it was paid, at last; NULL also where nothing was to be paid.
  method     movement_method,
  created_at timestamptz            NOT NULL,
  updated_at timestamptz            NOT NULL,
  CONSTRAINT invoice_charges_amount CHECK (amount BETWEEN 0 AND 99999999999),
  CONSTRAINT invoice_charges_method CHECK (status = 'PAID' OR method IS NULL)
);
CREATE INDEX invoice_charges_invoice ON invoice_charges (invoice_id, id);
-- An invoice asks for its amount once at a time.
CREATE UNIQUE INDEX invoice_charges_one_alive ON invoice_charges (invoice_id) WHERE status <> 'CANCELLED';

CREATE TYPE invoice_transaction_status AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');

-- Attempts to pay an invoice. Amounts in cents.
CREATE TABLE invoice_transactions (
  id                  bigint                     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id           bigint                     NOT NULL,
  invoice_id          bigint                     NOT NULL REFERENCES invoices,
  -- NULL while a payment of a draft has no outcome: its invoice is finalized, and gets its charge, with the outcome.
  charge_id           bigint                     REFERENCES invoice_charges,
  type                invoice_payment_method     NOT NULL,
  status              invoice_transaction_status NOT NULL,
  -- What the payer pays.
  amount              bigint                     NOT NULL,
  -- What the invoice asked for then: the amount without a fee that the payer bears.
  payable             bigint                     NOT NULL,
  -- What went back of the amount so far.
  refunded            bigint                     NOT NULL DEFAULT 0,
  -- What its card holder has taken back of it, at this moment: the sum of its disputes.
  disputed            bigint                     NOT NULL DEFAULT 0,
  -- Of the orders service; NULL: none was made, or it is not known.
  order_charge_id     bigint,
  decline             json,
  -- Why it failed where no issuer declined it; NULL: it was declined, or has not failed.
  failure             text,
  -- What the acquirer made of the payer's authentication; NULL: none was sent, or it is not known yet.
  authentication      json,
  -- The stored card that it was made with: brands count declines by card.
  card_id             bigint,
  card_brand          text,
  -- Of a card: its operation's idempotency key at the orders service, and until when the call may leave.
  operation_id        uuid,
  dispatch_deadline   timestamptz,
  -- The card of the vault's that the customer keeps once this payment succeeds.
  keep_card_id        bigint,
  keep_card_is_ours   boolean                    NOT NULL DEFAULT false,
  -- The money came to an invoice that cannot take it: it is given back.
  give_back           boolean                    NOT NULL,
  -- Of money that is given back: how often the acquirer refused to, with the code of the last time; and what the platform
  -- team noted where it went back otherwise.
  return_refusals     int                        NOT NULL DEFAULT 0,
  return_refusal_code text,
  closed_by_hand      json,
  -- How often the orders service was asked what became of it, and when it is asked next.
  asks                int                        NOT NULL DEFAULT 0,
  ask_at              timestamptz,
  -- When what is known of it is next compared with what orders holds of it; NULL: not any more.
  compare_at          timestamptz                DEFAULT now() + interval '1 hour',
  created_at          timestamptz                NOT NULL,
  updated_at          timestamptz                NOT NULL,
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
CREATE INDEX invoice_transactions_card ON invoice_transactions (seller_id, card_id, created_at) WHERE card_id IS NOT NULL;
CREATE INDEX invoice_transactions_compared ON invoice_transactions (compare_at) WHERE compare_at IS NOT NULL;
-- Money that the acquirer refused to give back for good: it waits for a person.
CREATE INDEX invoice_transactions_refused ON invoice_transactions (created_at, id)
  WHERE status = 'PENDING' AND give_back AND ask_at IS NULL;
-- A card is charged for an invoice once at a time.
CREATE UNIQUE INDEX invoice_transactions_one_card ON invoice_transactions (invoice_id)
  WHERE status = 'PENDING' AND type = 'CREDIT_CARD';

CREATE TYPE challenge_status AS ENUM ('STORING', 'PENDING', 'AUTHENTICATED', 'CHARGED', 'REFUSED', 'EXPIRED');

-- Payers whom the issuers of their cards ask to authenticate (3-D Secure). What an authentication proved is not here.
CREATE TABLE challenges (
  id                bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Names it in the address to which the payer's browser returns; nobody can guess it.
  public_id         text             NOT NULL,
  seller_id         bigint           NOT NULL,
  invoice_id        bigint           NOT NULL REFERENCES invoices,
  -- The 3-D Secure server's.
  authentication_id text             NOT NULL,
  status            challenge_status NOT NULL,
  -- The card that pays: one of the vault's, or a network token. NULL: it is being stored.
  card_id           bigint,
  network_token     text,
  -- The vault was asked to store it for this challenge.
  card_is_ours      boolean          NOT NULL,
  keep_card         boolean          NOT NULL,
  installments      smallint         NOT NULL,
  -- Cents: what the payer was asked to agree to.
  amount            bigint           NOT NULL,
  -- Why an authenticated payer was charged nothing; NULL: it was not so, or the issuer did not authenticate the payer.
  refusal           text,
  expires_at        timestamptz      NOT NULL,
  -- When a sweeper looks at it; NULL: it is over.
  asks              int              NOT NULL DEFAULT 0,
  ask_at            timestamptz,
  created_at        timestamptz      NOT NULL,
  updated_at        timestamptz      NOT NULL,
  CONSTRAINT challenges_public_id UNIQUE (public_id),
  CONSTRAINT challenges_whole CHECK (
    amount BETWEEN 1 AND 99999999999 AND installments BETWEEN 1 AND 12 AND asks >= 0
    AND (status IN ('STORING', 'EXPIRED') OR (card_id IS NULL) <> (network_token IS NULL))
    AND (status IN ('STORING', 'PENDING', 'AUTHENTICATED')) = (ask_at IS NOT NULL))
);
CREATE INDEX challenges_due ON challenges (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX challenges_over ON challenges (updated_at) WHERE ask_at IS NULL;

-- The states of an ask that a bank registers.
CREATE TYPE ask_status AS ENUM ('PENDING', 'REGISTERED', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUSED');
CREATE TYPE receipt_reason AS ENUM (
  'UNDERPAID', 'OVERPAID', 'ALREADY_PAID', 'INVOICE_VOIDED', 'AFTER_EXPIRY', 'UNKNOWN_BOLETO', 'UNKNOWN_PIX');

CREATE TYPE receipt_outcome AS ENUM ('APPLIED', 'RETURNED', 'KEPT');

CREATE SEQUENCE boleto_ids;

-- The range of numbers of each agreement with the bank: no number of it is given twice.
CREATE TABLE boleto_numbers (
  account   text   PRIMARY KEY,
  -- Whose agreement it is: money for a number that no slip has is shown to this seller.
  seller_id bigint NOT NULL,
  next      bigint NOT NULL CONSTRAINT boleto_numbers_ten_digits CHECK (next BETWEEN 1 AND 10000000000)
);

-- Bank slips. Amounts in cents.
CREATE TABLE boletos (
  id                   bigint        PRIMARY KEY,
  seller_id            bigint        NOT NULL,
  invoice_id           bigint        NOT NULL REFERENCES invoices,
  -- Names its PDF.
  public_id            text          NOT NULL,
  status               ask_status    NOT NULL,
  -- The seller's account at the bank: its agreement.
  account              text          NOT NULL,
  -- Another one when the bank has this number for a slip that is not ours.
  our_number           text          NOT NULL,
  -- NULL until the bank's slip of that number is known to be this one: only then it takes money or is withdrawn.
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
  -- What it costs less, and until which days.
  discounts            json          NOT NULL,
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
  -- The bank is to withdraw it: nobody is to pay it.
  withdrawing          boolean       NOT NULL,
  -- How often the bank was asked about it in vain, and when it is looked at next.
  asks                 int           NOT NULL DEFAULT 0,
  ask_at               timestamptz,
  -- Since when the seller has no account at the bank in the vault, so that nobody can ask about it; NULL: it has one.
  account_gone_at      timestamptz,
  -- When what is known of it is next compared with what the bank holds of it; NULL: not any more.
  compare_at           timestamptz   DEFAULT now() + interval '1 hour',
  version              int           NOT NULL,
  created_at           timestamptz   NOT NULL,
  updated_at           timestamptz   NOT NULL,
  CONSTRAINT boletos_public_id UNIQUE (public_id),
  CONSTRAINT boletos_our_number UNIQUE (our_number),
  CONSTRAINT boletos_whole CHECK (
    amount BETWEEN 1 AND 9999999999 AND our_number ~ '^[0-9]{17}$' AND payable_until >= due_day
    AND (barcode ~ '^[0-9]{44}$') IS NOT FALSE AND (digitable_line ~ '^[0-9]{47}$') IS NOT FALSE
    AND (barcode IS NULL) = (digitable_line IS NULL) AND (barcode IS NULL) = (beneficiary_name IS NULL)
    AND (status NOT IN ('REGISTERED', 'EXPIRED', 'PAID') OR barcode IS NOT NULL)
    AND (NOT withdrawing OR status = 'CANCELLED') AND (status = 'REFUSED') = (refusal IS NOT NULL)
    AND (status <> 'PENDING' OR ask_at IS NOT NULL) AND (NOT withdrawing OR ask_at IS NOT NULL))
);
CREATE INDEX boletos_invoice ON boletos (invoice_id, id);
CREATE INDEX boletos_due ON boletos (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX boletos_without_account ON boletos (account_gone_at) WHERE account_gone_at IS NOT NULL AND ask_at IS NOT NULL;
CREATE INDEX boletos_compared ON boletos (compare_at) WHERE compare_at IS NOT NULL;
-- An invoice has one slip that can be paid at a time.
CREATE UNIQUE INDEX boletos_one_open ON boletos (invoice_id) WHERE status IN ('PENDING', 'REGISTERED');

-- Pix charges. Amounts in cents.
CREATE TABLE pix_charges (
  id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id         bigint      NOT NULL,
  invoice_id        bigint      NOT NULL REFERENCES invoices,
  -- Names its QR code.
  public_id         text        NOT NULL,
  status            ask_status  NOT NULL,
  -- The seller's Pix key.
  account           text        NOT NULL,
  -- The bank's name of it, chosen here: the same call twice is the same charge.
  txid              text        NOT NULL,
  amount            bigint      NOT NULL,
  -- The last day without fine and interest; NULL: an immediate charge, for one day.
  due_day           date,
  -- What the bank adds after that day, at once and for each day.
  late_fine         bigint      NOT NULL,
  interest_of_day   bigint      NOT NULL,
  -- What it costs less, and until which days.
  discounts         json        NOT NULL,
  -- The last day on which banks take it.
  payable_until     date        NOT NULL,
  payer_name        text        NOT NULL,
  payer_document    text        NOT NULL,
  -- As the bank answered it; NULL before it is registered.
  copy_and_paste    text,
  -- Of a collection by Pix Automático: the bank's name of the payer's permission, and the account that gets the money.
  collection_rec_id   text,
  collection_receiver json,
  -- As the bank has it; NULL before it is registered: its state, the code of its end, and each try.
  collection_status   text,
  collection_code     text,
  collection_tries    json,
  refusal           text,
  dispatch_deadline timestamptz NOT NULL,
  operation_id      uuid,
  withdrawing       boolean     NOT NULL,
  asks              int         NOT NULL DEFAULT 0,
  ask_at            timestamptz,
  account_gone_at   timestamptz,
  compare_at        timestamptz DEFAULT now() + interval '1 hour',
  version           int         NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT pix_charges_public_id UNIQUE (public_id),
  CONSTRAINT pix_charges_txid UNIQUE (txid),
  CONSTRAINT pix_charges_whole CHECK (
    amount BETWEEN 1 AND 99999999999 AND txid ~ '^[a-zA-Z0-9]{26,35}$' AND (payable_until >= due_day) IS NOT FALSE
    AND late_fine >= 0 AND interest_of_day >= 0 AND length(copy_and_paste) <= 512
    AND (status NOT IN ('REGISTERED', 'EXPIRED', 'PAID') OR coalesce(copy_and_paste, collection_status) IS NOT NULL)
    AND (NOT withdrawing OR status = 'CANCELLED') AND (status = 'REFUSED') = (refusal IS NOT NULL)
    AND (status <> 'PENDING' OR ask_at IS NOT NULL) AND (NOT withdrawing OR ask_at IS NOT NULL))
);
CREATE INDEX pix_charges_invoice ON pix_charges (invoice_id, id);
CREATE INDEX pix_charges_due ON pix_charges (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX pix_charges_without_account ON pix_charges (account_gone_at) WHERE account_gone_at IS NOT NULL AND ask_at IS NOT NULL;
CREATE INDEX pix_charges_compared ON pix_charges (compare_at) WHERE compare_at IS NOT NULL;
CREATE UNIQUE INDEX pix_charges_one_open ON pix_charges (invoice_id, (collection_rec_id IS NULL))
  WHERE status IN ('PENDING', 'REGISTERED');
CREATE UNIQUE INDEX pix_charges_one_collection ON pix_charges (invoice_id) WHERE collection_rec_id IS NOT NULL;

-- The payers' permissions to collect recurring invoices by Pix Automático. PENDING: the bank has not made it yet. REFUSED:
-- the bank did not make it.
CREATE TYPE pix_permission_status AS ENUM (
  'PENDING', 'CREATED', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'REFUSED');
CREATE TABLE pix_permissions (
  id                   bigint                GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id            bigint                NOT NULL,
  recurring_invoice_id bigint                NOT NULL REFERENCES recurring_invoices,
  -- Names its QR code.
  public_id            text                  NOT NULL,
  status               pix_permission_status NOT NULL,
  -- The seller's Pix key, and the account that gets the money.
  account              text                  NOT NULL,
  receiver             json                  NOT NULL,
  -- What the payer permits: from which cycle and day on, how often, and which amount; NULL: each invoice has its own.
  first_cycle          int                   NOT NULL,
  first_day            date                  NOT NULL,
  frequency            billing_frequency     NOT NULL,
  amount               bigint,
  payer_name           text                  NOT NULL,
  payer_document       text                  NOT NULL,
  purpose              text                  NOT NULL,
  -- The bank's names of the place of its QR code, and of the permission; NULL: not known yet.
  location_id          bigint,
  rec_id               text,
  copy_and_paste       text,
  -- The bank's code of its end, and who ended it.
  code                 text,
  ended_by             text,
  -- The seller ended it, and the bank has yet to.
  cancelling           boolean               NOT NULL,
  asks                 int                   NOT NULL DEFAULT 0,
  ask_at               timestamptz,
  -- When an invoice of it is next to be collected.
  collect_at           timestamptz,
  created_at           timestamptz           NOT NULL,
  updated_at           timestamptz           NOT NULL,
  CONSTRAINT pix_permissions_public_id UNIQUE (public_id),
  CONSTRAINT pix_permissions_rec_id UNIQUE (rec_id),
  CONSTRAINT pix_permissions_whole CHECK (
    (status IN ('PENDING', 'REFUSED') OR rec_id IS NOT NULL AND copy_and_paste IS NOT NULL)
    AND (status NOT IN ('PENDING', 'CREATED', 'APPROVED') OR ask_at IS NOT NULL)
    AND (collect_at IS NULL OR status = 'APPROVED' AND NOT cancelling))
);
CREATE UNIQUE INDEX pix_permissions_one_open ON pix_permissions (recurring_invoice_id)
  WHERE status IN ('PENDING', 'CREATED', 'APPROVED');
CREATE INDEX pix_permissions_recurring ON pix_permissions (recurring_invoice_id, id);
CREATE INDEX pix_permissions_account ON pix_permissions (account);
CREATE INDEX pix_permissions_due ON pix_permissions (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX pix_permissions_collected ON pix_permissions (collect_at) WHERE collect_at IS NOT NULL;

-- The sellers' Pix keys that charges were made with: their webhooks, and how far what they received is known.
CREATE TABLE pix_accounts (
  account     text        PRIMARY KEY,
  seller_id   bigint      NOT NULL,
  -- The secret part of the address that the bank calls.
  token       text        NOT NULL,
  -- When its first charge was made: money from before is none of ours.
  used_since  timestamptz NOT NULL,
  -- All that the bank received until then is known here.
  known_until timestamptz NOT NULL,
  asks        int         NOT NULL DEFAULT 0,
  ask_at      timestamptz NOT NULL,
  CONSTRAINT pix_accounts_token UNIQUE (token)
);
CREATE INDEX pix_accounts_due ON pix_accounts (ask_at);

-- Money that the bank says came in, each once. What no invoice takes waits for a person. Amounts in cents.
CREATE TABLE receipts (
  id             bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- NULL: of an account that no seller has been seen with.
  seller_id      bigint,
  -- The method that it was paid by: the ask is one of that method's.
  method         invoice_payment_method NOT NULL,
  account        text           NOT NULL,
  -- What the bank calls it.
  bank_id        text           NOT NULL,
  -- What the bank calls the ask that it was paid for.
  ask_number     text           NOT NULL,
  -- NULL: no ask of the account has that number. Asks of different methods are in different tables.
  ask_id         bigint,
  invoice_id     bigint         REFERENCES invoices,
  -- Who paid, as far as the bank says. Of a CPF, the outer digits are not kept.
  payer_name     text,
  payer_document text,
  amount         bigint         NOT NULL,
  -- Of the amount, what no invoice took when it came, and what of that still waits for a person.
  unexpected     bigint         NOT NULL,
  open_amount    bigint         NOT NULL,
  -- What of that is on its way back: nobody else takes it.
  returning_amount bigint       NOT NULL,
  is_unexpected  boolean        NOT NULL GENERATED ALWAYS AS (unexpected > 0) STORED,
  reason         receipt_reason,
  paid_at        timestamptz    NOT NULL,
  resolved_at    timestamptz,
  is_resolved    boolean        NOT NULL GENERATED ALWAYS AS (resolved_at IS NOT NULL) STORED,
  -- What became of it at last, and what the person said of it.
  outcome        receipt_outcome,
  resolution     text,
  -- Who of the platform team saw to money of no seller; NULL: a seller saw to its own, or nobody has.
  resolved_by    text,
  -- How many events its seller was sent.
  events         int            NOT NULL,
  created_at     timestamptz    NOT NULL,
  CONSTRAINT receipts_once UNIQUE (method, account, bank_id),
  CONSTRAINT receipts_whole CHECK (
    amount > 0 AND unexpected BETWEEN 0 AND amount AND (unexpected > 0) = (reason IS NOT NULL)
    AND returning_amount BETWEEN 0 AND open_amount AND open_amount <= unexpected AND (resolved_at IS NOT NULL) = (unexpected > 0 AND open_amount = 0)
    AND (resolved_at IS NULL) = (outcome IS NULL)
    AND length(resolution) <= 2000 AND method <> 'CREDIT_CARD' AND (ask_id IS NULL) = (invoice_id IS NULL))
);
-- A Pix is listed for each key of its bank account.
CREATE UNIQUE INDEX receipts_pix_once ON receipts (seller_id, bank_id) WHERE method = 'PIX';
-- The list of what waits for a person, newest first.
CREATE INDEX receipts_unexpected ON receipts (seller_id, is_unexpected, is_resolved, created_at, id);
-- Money that waits for a person, by its invoice.
CREATE INDEX receipts_waiting ON receipts (invoice_id, created_at) WHERE is_unexpected AND NOT is_resolved;
CREATE INDEX receipts_ask ON receipts (method, account, ask_number);

CREATE TYPE movement_kind AS ENUM ('PAYMENT', 'REFUND', 'RETURN', 'WRITE_OFF', 'DISPUTE', 'DISPUTE_WON');
CREATE TYPE write_off_reason AS ENUM ('LATENESS_WAIVED', 'NOT_ASKED', 'BY_SELLER', 'EARLY_PAYMENT_DISCOUNT');

-- The journal of money: rows are added, and never changed. Amounts in cents.
CREATE TABLE movements (
  id             bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id      bigint           NOT NULL,
  -- NULL: money that no invoice took.
  invoice_id     bigint           REFERENCES invoices,
  kind           movement_kind    NOT NULL,
  method         movement_method,
  amount         bigint           NOT NULL,
  -- What the amount is made of; `fee`: borne by the payer on top of what was owed.
  principal      bigint           NOT NULL,
  fine           bigint           NOT NULL,
  interest       bigint           NOT NULL,
  fee            bigint           NOT NULL,
  -- When the money moved.
  at             timestamptz      NOT NULL,
  created_at     timestamptz      NOT NULL,
  transaction_id bigint           REFERENCES invoice_transactions,
  -- Of the orders service.
  charge_id      bigint,
  receipt_id     bigint           REFERENCES receipts,
  dispute_id     bigint,
  -- The acquirer's names of a card payment.
  card           json,
  reason         write_off_reason,
  note           text,
  reference      text,
  CONSTRAINT movements_whole CHECK (
    amount > 0 AND principal >= 0 AND fine >= 0 AND interest >= 0 AND fee >= 0
    AND amount = principal + fine + interest + fee
    AND (kind = 'WRITE_OFF') = (method IS NULL) AND (kind = 'WRITE_OFF') = (reason IS NOT NULL)
    AND (kind IN ('DISPUTE', 'DISPUTE_WON')) = (dispute_id IS NOT NULL)
    AND length(note) <= 2000 AND length(reference) <= 255)
);

CREATE TYPE pix_refund_status AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');

-- Money of a Pix that goes back: of an invoice, or of what waits. Amounts in cents.
CREATE TABLE pix_refunds (
  id                bigint            GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id         bigint            NOT NULL,
  receipt_id        bigint            NOT NULL REFERENCES receipts,
  -- NULL: money that no invoice took.
  invoice_id        bigint            REFERENCES invoices,
  -- The seller's Pix key, and the bank's names of the Pix and of the refund. Of ours, the last is chosen here: the same
  -- call twice is the same refund.
  account           text              NOT NULL,
  end_to_end_id     text              NOT NULL,
  number            text              NOT NULL,
  amount            bigint            NOT NULL,
  status            pix_refund_status NOT NULL,
  -- What the bank calls one that was not asked for here; NULL: the seller asked for it.
  nature            text,
  note              text,
  refusal           text,
  dispatch_deadline timestamptz,
  operation_id      uuid,
  asks              int               NOT NULL DEFAULT 0,
  ask_at            timestamptz,
  created_at        timestamptz       NOT NULL,
  updated_at        timestamptz       NOT NULL,
  -- What the bank gives back by itself may be of several invoices.
  CONSTRAINT pix_refunds_once UNIQUE NULLS NOT DISTINCT (receipt_id, number, invoice_id),
  CONSTRAINT pix_refunds_whole CHECK (
    amount > 0 AND (status = 'PENDING') = (ask_at IS NOT NULL) AND (status = 'FAILED') = (refusal IS NOT NULL)
    AND (nature IS NULL) = (dispatch_deadline IS NOT NULL) AND (nature IS NULL OR status = 'SUCCEEDED')
    AND length(note) <= 2000)
);
CREATE INDEX pix_refunds_invoice ON pix_refunds (invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX pix_refunds_due ON pix_refunds (ask_at) WHERE ask_at IS NOT NULL;

-- Those among whom a seller splits the money of its invoices.
CREATE TABLE recipients (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id  bigint      NOT NULL,
  name       text        NOT NULL,
  -- CPF or CNPJ, without punctuation.
  document   text        NOT NULL,
  -- What the seller calls it elsewhere.
  reference  text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT recipients_whole CHECK (length(name) BETWEEN 1 AND 255 AND length(reference) <= 255)
);
CREATE INDEX recipients_newest ON recipients (seller_id, created_at, id);
CREATE INDEX recipients_reference ON recipients (seller_id, reference, created_at, id);

-- A recipient's share of one movement: added and never changed. Negative where money of the invoice went back.
CREATE TABLE recipient_entries (
  id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id    bigint      NOT NULL,
  recipient_id bigint      NOT NULL REFERENCES recipients,
  invoice_id   bigint      NOT NULL REFERENCES invoices,
  movement_id  bigint      NOT NULL REFERENCES movements,
  amount       bigint      NOT NULL,
  at           timestamptz NOT NULL,
  created_at   timestamptz NOT NULL,
  CONSTRAINT recipient_entries_once UNIQUE (movement_id, recipient_id),
  CONSTRAINT recipient_entries_amount CHECK (amount <> 0)
);
CREATE INDEX recipient_entries_newest ON recipient_entries (seller_id, recipient_id, created_at, id) INCLUDE (at);
CREATE INDEX recipient_entries_period ON recipient_entries (seller_id, recipient_id, at, created_at, id);
-- Each filter of their list has an index, which holds the other filters too.
CREATE INDEX movements_newest ON movements (seller_id, created_at, id) INCLUDE (at, kind, method);
CREATE INDEX movements_kind ON movements (seller_id, kind, created_at, id) INCLUDE (at, method);
CREATE INDEX movements_method ON movements (seller_id, method, created_at, id) INCLUDE (at, kind);
CREATE INDEX movements_invoice ON movements (seller_id, invoice_id, created_at, id) INCLUDE (at, kind, method);
CREATE INDEX movements_period ON movements (seller_id, at, created_at, id) INCLUDE (kind, method);
CREATE INDEX movements_receipt ON movements (receipt_id) WHERE receipt_id IS NOT NULL;
CREATE INDEX movements_dispute ON movements (dispute_id) WHERE dispute_id IS NOT NULL;
-- The sums of an invoice.
CREATE INDEX movements_sums ON movements (invoice_id) INCLUDE (kind, amount, fee) WHERE invoice_id IS NOT NULL;

-- An invoice whose sums are not those of its movements is never saved.
CREATE FUNCTION check_sums() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sums record;
  saved record;
BEGIN
  -- As the transaction leaves it: several changes are checked once each, by the last.
  SELECT paid_amount, refunded_amount, written_off_amount, disputed_amount INTO saved FROM invoices WHERE id = NEW.id;
  SELECT coalesce(sum(amount - fee) FILTER (WHERE kind = 'PAYMENT'), 0) AS paid,
         coalesce(sum(amount - fee) FILTER (WHERE kind IN ('REFUND', 'RETURN')), 0) AS refunded,
         coalesce(sum(amount) FILTER (WHERE kind = 'WRITE_OFF'), 0) AS written_off,
         coalesce(sum(amount - fee) FILTER (WHERE kind = 'DISPUTE'), 0)
           - coalesce(sum(amount - fee) FILTER (WHERE kind = 'DISPUTE_WON'), 0) AS disputed
    INTO sums FROM movements WHERE invoice_id = NEW.id;
  IF (sums.paid, sums.refunded, sums.written_off, sums.disputed)
    <> (saved.paid_amount, saved.refunded_amount, saved.written_off_amount, saved.disputed_amount) THEN
    RAISE EXCEPTION 'the sums of invoice % are not those of its movements', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER invoices_sums
  AFTER UPDATE OF paid_amount, refunded_amount, written_off_amount, disputed_amount ON invoices
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.paid_amount, OLD.refunded_amount, OLD.written_off_amount, OLD.disputed_amount)
    IS DISTINCT FROM (NEW.paid_amount, NEW.refunded_amount, NEW.written_off_amount, NEW.disputed_amount))
  EXECUTE FUNCTION check_sums();

-- Declines of kept cards in charges of the seller's own, which brands count with those of invoices.
CREATE TABLE card_declines (
  -- Of the orders service, and which of its payments.
  charge_id  bigint      NOT NULL,
  payment    int         NOT NULL,
  seller_id  bigint      NOT NULL,
  -- SHA-256 of the card's token.
  credential text        NOT NULL,
  amount     bigint      NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (charge_id, payment)
);
CREATE INDEX card_declines_card ON card_declines (seller_id, credential, created_at);
CREATE INDEX card_declines_created ON card_declines (created_at);

-- What card holders dispute of the payments of invoices, as the orders service last reported. Amounts in cents.
CREATE TABLE disputes (
  -- Of the orders service.
  id             bigint  PRIMARY KEY,
  seller_id      bigint  NOT NULL,
  transaction_id bigint  NOT NULL REFERENCES invoice_transactions,
  -- The stored card of the payment: it is charged without its holder only once the seller has won.
  card_id        bigint,
  is_won         boolean NOT NULL,
  -- What it has taken back at this moment of money that an invoice took.
  withdrawn      bigint  NOT NULL,
  -- Of the event that reported it: an older one changes nothing.
  sequence       bigint  NOT NULL,
  CONSTRAINT disputes_withdrawn CHECK (withdrawn >= 0)
);
CREATE INDEX disputes_card ON disputes (seller_id, card_id) WHERE card_id IS NOT NULL AND NOT is_won;

-- A dispute whose amount is not that of its movements is never saved.
CREATE FUNCTION check_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT withdrawn FROM disputes WHERE id = NEW.id) <> (
    SELECT coalesce(sum(CASE kind WHEN 'DISPUTE' THEN amount ELSE -amount END), 0) FROM movements WHERE dispute_id = NEW.id) THEN
    RAISE EXCEPTION 'the amount of dispute % is not that of its movements', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER disputes_sums AFTER INSERT OR UPDATE ON disputes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_dispute();

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
  -- The latest attempt.
  transaction_id  bigint                  REFERENCES invoice_transactions,
  -- When the card was first to be charged: later tries are counted from that day.
  first_tried_at  timestamptz,
  -- The day of the first attempt that reached somebody: a card is charged for no lateness before it. NULL: none did.
  charged_from    date,
  -- Attempts in a row that reached nobody.
  failures        int                     NOT NULL DEFAULT 0,
  -- Cards that are not tried again for this invoice: ids of the vault's.
  refused_cards   bigint[]                NOT NULL DEFAULT '{}',
  -- With NEEDS_CARD: when the customer may have another card.
  look_at         timestamptz             NOT NULL DEFAULT 'epoch',
  -- Its recurring invoice is paused: nobody sees to it meanwhile.
  is_held         boolean                 NOT NULL DEFAULT false,
  -- When somebody has to see to it; NULL: not by itself.
  due_at          timestamptz             GENERATED ALWAYS AS (
    CASE WHEN is_held THEN NULL WHEN status = 'WAITING' THEN next_attempt_at WHEN status = 'NEEDS_CARD' THEN look_at END) STORED,
  -- Until when one process alone sees to it, by the machine's clock.
  leased_until    timestamptz             NOT NULL DEFAULT 'epoch',
  -- Why it stands as it does: a word that the API shows.
  reason          text,
  created_at      timestamptz             NOT NULL,
  updated_at      timestamptz             NOT NULL,
  CONSTRAINT automatic_charges_whole CHECK (
    attempts >= 0 AND (status = 'WAITING') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX automatic_charges_due ON automatic_charges (next_attempt_at, invoice_id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX automatic_charges_to_see_to ON automatic_charges (due_at, invoice_id) WHERE due_at IS NOT NULL;
CREATE INDEX automatic_charges_customer ON automatic_charges (customer_id) WHERE status IN ('WAITING', 'NEEDS_CARD');

-- Late invoices with a slip: their sellers are notified once the bank has reported what was paid in time.
CREATE TABLE late_notices (
  invoice_id bigint      PRIMARY KEY REFERENCES invoices,
  seller_id  bigint      NOT NULL,
  -- When the bank is next asked about the slips. A process that asks moves it, so that no other one asks meanwhile.
  tell_at    timestamptz NOT NULL,
  -- A bank that does not answer is awaited until then.
  latest_at  timestamptz NOT NULL
);
CREATE INDEX late_notices_due ON late_notices (tell_at, invoice_id);

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

CREATE TYPE email_kind AS ENUM ('ISSUED', 'REMINDER', 'RECEIPT', 'DECLINED', 'NOT_COLLECTED', 'GIVEN_BACK');
CREATE TYPE email_status AS ENUM ('WAITING', 'SENT', 'REFUSED', 'OUTDATED', 'EXPIRED');

-- E-mails to customers. A row is written with its cause; a sweeper sends it.
CREATE TABLE emails (
  id          bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint       NOT NULL,
  invoice_id  bigint       NOT NULL REFERENCES invoices,
  -- Why it is sent. Each cause sends one e-mail of an invoice.
  cause       text         NOT NULL,
  kind        email_kind   NOT NULL,
  language    text         NOT NULL,
  recipient   text         NOT NULL,
  -- NULL: the letter names no seller.
  seller_name text,
  -- The attempt to pay that it reports. NULL: it is about the invoice.
  transaction_id bigint,
  -- Names the e-mail wherever it goes: who gets it twice can tell.
  message_id  uuid         NOT NULL,
  status      email_status NOT NULL,
  -- How often it was taken to be sent, and when it is taken next.
  asks        int          NOT NULL,
  ask_at      timestamptz,
  created_at  timestamptz  NOT NULL,
  ended_at    timestamptz,
  CONSTRAINT emails_cause UNIQUE (invoice_id, cause),
  CONSTRAINT emails_message_id UNIQUE (message_id),
  CONSTRAINT emails_whole CHECK (
    length(cause) BETWEEN 1 AND 100 AND language IN ('pt-BR', 'en') AND length(recipient) BETWEEN 3 AND 320
    AND asks >= 0 AND (status = 'WAITING') = (ask_at IS NOT NULL) AND (status = 'WAITING') = (ended_at IS NULL))
);
CREATE INDEX emails_due ON emails (ask_at) WHERE ask_at IS NOT NULL;
-- What is forgotten, and the oldest that waits.
CREATE INDEX emails_created ON emails (created_at);
CREATE INDEX emails_waiting ON emails (created_at) WHERE status = 'WAITING';

-- E-mails to the users of a seller. A row is written with its cause; a sweeper sends it.
CREATE TABLE user_letters (
  id          bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint       NOT NULL,
  -- Why it is sent. Each cause sends one e-mail to an address.
  cause       text         NOT NULL,
  recipient   text         NOT NULL,
  language    text         NOT NULL,
  -- What it tells: a JSON object.
  facts       json         NOT NULL,
  -- Names the e-mail wherever it goes: who gets it twice can tell.
  message_id  uuid         NOT NULL DEFAULT gen_random_uuid(),
  status      email_status NOT NULL DEFAULT 'WAITING',
  -- How often it was taken to be sent, and when it is taken next.
  asks        int          NOT NULL DEFAULT 0,
  ask_at      timestamptz,
  created_at  timestamptz  NOT NULL,
  CONSTRAINT user_letters_cause UNIQUE (cause, recipient),
  CONSTRAINT user_letters_whole CHECK (
    length(cause) BETWEEN 1 AND 100 AND language IN ('pt-BR', 'en') AND length(recipient) BETWEEN 3 AND 320
    AND asks >= 0 AND (status = 'WAITING') = (ask_at IS NOT NULL))
);
CREATE INDEX user_letters_due ON user_letters (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX user_letters_created ON user_letters (created_at);

-- Disputes that the users of a seller are to get a letter about, until the gateway has named the users.
CREATE TABLE dispute_notices (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id  bigint      NOT NULL,
  -- What the letter tells: a JSON object.
  facts      json        NOT NULL,
  asks       int         NOT NULL DEFAULT 0,
  ask_at     timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX dispute_notices_due ON dispute_notices (ask_at);

-- How a seller's invoices look; without a row, as the service has it.
CREATE TABLE themes (
  seller_id         bigint      PRIMARY KEY,
  -- Colours: # and three or six hexadecimal digits.
  primary_color     text        NOT NULL,
  secondary_color   text        NOT NULL,
  logo_url          text,
  header_background text        NOT NULL,
  header_text       text        NOT NULL,
  body_background   text        NOT NULL,
  body_text         text        NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT themes_colors CHECK (
    primary_color || secondary_color || header_background || header_text || body_background || body_text
      ~ '^(#([0-9A-Fa-f]{3}){1,2}){6}$')
);

CREATE TYPE lateness AS ENUM ('WAIVE', 'DEMAND');

-- How the money of a seller's invoices is taken; without a row, as the service has it.
CREATE TABLE billing_settings (
  seller_id  bigint      PRIMARY KEY,
  -- Whether a payment of the principal alone pays a late invoice.
  lateness   lateness    NOT NULL,
  -- Days on which the banks of the seller's town are closed, besides those of the whole country.
  holidays   date[]      NOT NULL DEFAULT '{}',
  -- The acquirer's fees for card payments, each with the installments that it holds from; empty: those of the installation.
  card_fees  json        NOT NULL DEFAULT '[]',
  -- The bank account that gets what Pix Automático collects; NULL: it is offered to no payer.
  pix_receiver json,
  updated_at timestamptz NOT NULL
);
