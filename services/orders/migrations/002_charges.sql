-- Amounts in cents.
CREATE TABLE charges (
  id                 bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id          bigint      NOT NULL,
  establishment_id   bigint      NOT NULL REFERENCES establishments,
  order_reference    text,
  external_reference bigint,
  notification_url   text,
  status             text        NOT NULL,
  -- Authorized and captured in one step.
  direct             boolean     NOT NULL,
  amount             bigint      NOT NULL,
  authorized_amount  bigint      NOT NULL,
  captured_amount    bigint      NOT NULL,
  refunded_amount    bigint      NOT NULL,
  -- Refunded or about to be.
  refund_reserved    bigint      NOT NULL,
  -- json, not jsonb: keys keep their order, values their type.
  metadata           json        NOT NULL,
  -- Counts the changes: who saves names the version that it read.
  version            int         NOT NULL,
  -- Counts the events told.
  sequence           int         NOT NULL,
  -- When a sweeper asks the acquirer about what is pending, and how often it has asked.
  ask_at             timestamptz,
  asks               int         NOT NULL DEFAULT 0,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  CONSTRAINT charges_status CHECK (status IN ('pending', 'authorized', 'denied', 'failed', 'partially_captured',
    'captured', 'voided', 'expired', 'partially_refunded', 'refunded')),
  CONSTRAINT charges_amount CHECK (amount BETWEEN 0 AND 99999999999),
  CONSTRAINT charges_authorized_amount CHECK (authorized_amount IN (0, amount)),
  CONSTRAINT charges_captured_amount CHECK (captured_amount BETWEEN 0 AND authorized_amount),
  CONSTRAINT charges_refund_reserved CHECK (refund_reserved BETWEEN 0 AND captured_amount),
  CONSTRAINT charges_refunded_amount CHECK (refunded_amount BETWEEN 0 AND refund_reserved),
  CONSTRAINT charges_external_reference CHECK (external_reference >= 1),
  CONSTRAINT charges_pending_is_asked CHECK (status <> 'pending' OR ask_at IS NOT NULL)
);
CREATE INDEX charges_newest ON charges (seller_id, id);
CREATE INDEX charges_order_reference ON charges (seller_id, order_reference, id);
CREATE INDEX charges_external_reference ON charges (seller_id, external_reference, id);
CREATE INDEX charges_created_at ON charges (seller_id, created_at);
CREATE INDEX charges_to_ask ON charges (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX charges_to_expire ON charges (created_at) WHERE status = 'authorized' AND ask_at IS NULL AND amount > 0;

CREATE TABLE payments (
  charge_id             bigint   NOT NULL REFERENCES charges,
  position              smallint NOT NULL,
  seller_id             bigint   NOT NULL,
  -- Ours, given to the acquirer before the call: the key by which an unanswered payment is found.
  order_number          text     NOT NULL,
  amount                bigint   NOT NULL,
  installments          smallint NOT NULL,
  status                text     NOT NULL,
  captured_amount       bigint   NOT NULL,
  refunded_amount       bigint   NOT NULL,
  bin                   text     NOT NULL,
  last_four             text     NOT NULL,
  brand                 text     NOT NULL,
  expiration_year       smallint NOT NULL,
  expiration_month      smallint NOT NULL,
  holder_name           text     NOT NULL,
  card_source           text     NOT NULL,
  -- What the acquirer calls it; empty until it answered.
  acquirer_payment_id   text     NOT NULL,
  tid                   text     NOT NULL,
  nsu                   text     NOT NULL,
  authorization_code    text     NOT NULL,
  return_code           text     NOT NULL,
  decline_code          text,
  decline_acquirer_code text,
  decline_message       text,
  decline_retryable     boolean,
  decline_advice        text,
  denied_at             timestamptz,
  payment_limit_date    timestamptz,
  due_date              timestamptz,
  PRIMARY KEY (charge_id, position),
  CONSTRAINT payments_position CHECK (position BETWEEN 0 AND 9),
  CONSTRAINT payments_order_number UNIQUE (order_number),
  CONSTRAINT payments_amount CHECK (amount BETWEEN 0 AND 99999999999),
  CONSTRAINT payments_installments CHECK (installments BETWEEN 1 AND 12),
  CONSTRAINT payments_status CHECK (status IN ('pending', 'authorized', 'denied', 'failed', 'partially_captured',
    'captured', 'voided', 'expired', 'partially_refunded', 'refunded')),
  CONSTRAINT payments_captured_amount CHECK (captured_amount BETWEEN 0 AND amount),
  CONSTRAINT payments_refunded_amount CHECK (refunded_amount BETWEEN 0 AND captured_amount),
  CONSTRAINT payments_card_source CHECK (card_source IN ('card', 'card_token', 'network_token')),
  CONSTRAINT payments_denied_has_decline CHECK ((status = 'denied') = (decline_code IS NOT NULL)),
  CONSTRAINT payments_denied_has_time CHECK ((status = 'denied') = (denied_at IS NOT NULL))
);
-- Declines of a seller and BIN: many within a minute are someone trying out cards.
CREATE INDEX payments_denied ON payments (seller_id, bin, denied_at) WHERE status = 'denied';

-- Operations at the acquirer, each on one payment.
CREATE TABLE transactions (
  charge_id         bigint      NOT NULL,
  -- Counted within the charge, from 1.
  id                int         NOT NULL,
  position          smallint    NOT NULL,
  type              text        NOT NULL,
  status            text        NOT NULL,
  -- Who wants it: the seller (sent once), or the service (a void, sent until the money is free).
  cause             text        NOT NULL,
  amount            bigint      NOT NULL,
  -- One request of a seller; names its mark in the idempotency table.
  operation_id      uuid        NOT NULL,
  -- Nothing leaves for the acquirer after it; NULL = nothing has left yet.
  dispatch_deadline timestamptz,
  reason            text,
  created_at        timestamptz NOT NULL,
  PRIMARY KEY (charge_id, id),
  FOREIGN KEY (charge_id, position) REFERENCES payments,
  CONSTRAINT transactions_type CHECK (type IN ('authorization', 'capture', 'refund', 'void')),
  CONSTRAINT transactions_status CHECK (status IN ('pending', 'succeeded', 'failed')),
  CONSTRAINT transactions_cause CHECK (cause = 'request' OR (cause IN ('release', 'expiry') AND type = 'void')),
  CONSTRAINT transactions_amount CHECK (amount BETWEEN 0 AND 99999999999),
  CONSTRAINT transactions_reason CHECK (length(reason) <= 2000)
);
CREATE UNIQUE INDEX transactions_one_authorization ON transactions (charge_id, position) WHERE type = 'authorization';
CREATE UNIQUE INDEX transactions_one_capture ON transactions (charge_id, position)
  WHERE type = 'capture' AND status <> 'failed';
