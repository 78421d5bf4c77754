-- The words of the contract's enums: one spelling from the database to the API. They are types: PostgreSQL parses each
-- CHECK of a table for every statement that writes to it. For the same reason its rules stand in one or two CHECKs.
CREATE TYPE charge_status AS ENUM ('PENDING', 'AUTHORIZED', 'DENIED', 'FAILED', 'PARTIALLY_CAPTURED', 'CAPTURED',
  'VOIDED', 'EXPIRED', 'PARTIALLY_REFUNDED', 'REFUNDED');
CREATE TYPE card_source AS ENUM ('CARD', 'CARD_TOKEN', 'NETWORK_TOKEN');
CREATE TYPE transaction_type AS ENUM ('AUTHORIZATION', 'CAPTURE', 'REFUND', 'VOID');
CREATE TYPE transaction_status AS ENUM ('PENDING', 'SUCCEEDED', 'FAILED');
CREATE TYPE transaction_cause AS ENUM ('REQUEST', 'RELEASE', 'EXPIRY', 'ACQUIRER');
CREATE TYPE acquirer AS ENUM ('cielo');
CREATE TYPE payment_initiator AS ENUM ('CUSTOMER', 'MERCHANT');
CREATE TYPE credential_reason AS ENUM ('RECURRING', 'INSTALLMENTS', 'UNSCHEDULED');
CREATE TYPE dispute_status AS ENUM ('NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'EXPIRED');
CREATE TYPE dispute_stage AS ENUM ('INQUIRY', 'CHARGEBACK', 'SECOND_CHARGEBACK', 'PRE_COMPLIANCE', 'COMPLIANCE', 'ARBITRATION');
CREATE TYPE dispute_answer AS ENUM ('ACCEPT', 'CONTEST');

-- A seller's accounts at acquirers. Their credentials are in the vault.
CREATE TABLE establishments (
  id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id       bigint      NOT NULL,
  -- The seller's store; NULL = the seller's default.
  affiliate_id    bigint,
  acquirer        acquirer    NOT NULL,
  merchant_id     text        NOT NULL,
  network_tokens  boolean     NOT NULL,
  -- Whether a payment declined because of its network token is tried once more with the card's own number.
  retry_with_card boolean     NOT NULL,
  -- The acquirer's number of the merchant, by which it files disputes. NULL: disputes are not asked for.
  establishment_number text,
  -- When its disputes are asked for next, were last taken up, and were last read whole.
  disputes_ask_at   timestamptz,
  disputes_taken_at timestamptz,
  disputes_asked_at timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT establishments_store UNIQUE NULLS NOT DISTINCT (seller_id, affiliate_id),
  CONSTRAINT establishments_number UNIQUE (acquirer, establishment_number),
  CONSTRAINT establishments_affiliate_id CHECK (affiliate_id >= 0),
  CONSTRAINT establishments_disputes CHECK ((establishment_number IS NULL) = (disputes_ask_at IS NULL))
);
CREATE INDEX establishments_to_ask ON establishments (disputes_ask_at) WHERE disputes_ask_at IS NOT NULL;

-- Orders of a seller that cards or a Pix pay. Amounts in cents.
CREATE TABLE charges (
  id                 bigint        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id          bigint        NOT NULL,
  -- NULL: paid by Pix, at the seller's bank.
  establishment_id   bigint        REFERENCES establishments,
  order_reference    text,
  external_reference bigint,
  notification_url   text,
  -- The request of the seller that made the charge. NULL: another service of ours asked for it.
  request_id         text,
  status             charge_status NOT NULL,
  -- Authorized and captured in one step.
  direct             boolean       NOT NULL,
  amount             bigint        NOT NULL,
  authorized_amount  bigint        NOT NULL,
  captured_amount    bigint        NOT NULL,
  refunded_amount    bigint        NOT NULL,
  -- Refunded or about to be.
  refund_reserved    bigint        NOT NULL,
  -- json, not jsonb: keys keep their order, values their type.
  metadata           json          NOT NULL,
  -- Counts the changes: who saves names the version that it read.
  version            int           NOT NULL,
  -- Counts the events sent.
  sequence           int           NOT NULL,
  -- When a sweeper asks the acquirer about what is pending, and how often it has asked.
  ask_at             timestamptz,
  asks               int           NOT NULL DEFAULT 0,
  -- Of a charge that failed because the acquirer did not know its sale: since when, and when it is asked about once more.
  absent_since       timestamptz,
  look_again_at      timestamptz,
  -- When what is known of the charge is compared with what the acquirer holds of it; NULL: not any more.
  compare_at         timestamptz   DEFAULT now() + interval '1 day',
  created_at         timestamptz   NOT NULL,
  updated_at         timestamptz   NOT NULL,
  CONSTRAINT charges_whole CHECK (
    0 <= refunded_amount AND refunded_amount <= refund_reserved AND refund_reserved <= captured_amount
    AND captured_amount <= authorized_amount AND authorized_amount IN (0, amount) AND amount <= 99999999999
    AND external_reference >= 1 IS NOT FALSE
    AND (status <> 'PENDING' OR ask_at IS NOT NULL))
);
-- Each list of charges, whatever it is filtered by, reads its page and its count from one index, newest first.
-- The filters by time and by nothing share one. Charges without a reference are in no index of references.
CREATE INDEX charges_newest ON charges (seller_id, created_at, id);
CREATE INDEX charges_status ON charges (seller_id, status, created_at, id);
CREATE INDEX charges_order_reference ON charges (seller_id, order_reference, created_at, id)
  WHERE order_reference IS NOT NULL;
CREATE INDEX charges_external_reference ON charges (seller_id, external_reference, created_at, id)
  WHERE external_reference IS NOT NULL;
CREATE INDEX charges_to_ask ON charges (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX charges_to_expire ON charges (created_at) WHERE status = 'AUTHORIZED' AND ask_at IS NULL AND amount > 0;
CREATE INDEX charges_to_look_at ON charges (look_again_at) WHERE look_again_at IS NOT NULL;
CREATE INDEX charges_compared ON charges (compare_at) WHERE compare_at IS NOT NULL;

-- What pays a charge: cards, each with its share, or one Pix. Amounts in cents.
CREATE TABLE payments (
  charge_id                 bigint        NOT NULL REFERENCES charges,
  position                  smallint      NOT NULL,
  seller_id                 bigint        NOT NULL,
  -- Ours, given to the acquirer before the call: the key by which an unanswered payment is found. Of a Pix: its txid.
  order_number              text          NOT NULL,
  amount                    bigint        NOT NULL,
  installments              smallint      NOT NULL,
  status                    charge_status NOT NULL,
  captured_amount           bigint        NOT NULL,
  refunded_amount           bigint        NOT NULL,
  -- What its disputes have withdrawn. It may exceed what is left: a refund may come before a dispute of the whole sale.
  disputed_amount           bigint        NOT NULL DEFAULT 0,
  bin                       text,
  last_four                 text,
  brand                     text,
  expiration_year           smallint,
  expiration_month          smallint,
  holder_name               text,
  card_source               card_source,
  -- The seller's Pix key. NULL: a card pays.
  pix_account               text,
  -- From then on nobody can pay it.
  pix_expires_at            timestamptz,
  -- The text behind the QR code, as the bank answered it.
  pix_copy_and_paste        text,
  -- Who paid, as far as the bank says it. A CPF is masked.
  pix_payer_name            text,
  pix_payer_document        text,
  -- The seller asked to withdraw it.
  pix_cancelled             boolean,
  -- Who began it: a merchant charges a kept card while its holder is absent. What a kept card is charged for.
  initiator                 payment_initiator NOT NULL,
  reason                    credential_reason NOT NULL,
  -- The guard against card testing does not count it.
  exempt_from_testing_guard boolean       NOT NULL,
  -- The kept card: the SHA-256 of its token, in hexadecimal. NULL: the card is not kept.
  credential                text,
  -- What the payer's authentication by 3-D Secure was. Its value is a secret: of it there is the SHA-256, in hexadecimal.
  authentication_eci        text,
  authentication_version    text,
  authentication_value_hash text,
  -- What the acquirer calls it; empty until it answered. Of a Pix: its end-to-end id, once it is paid.
  acquirer_payment_id       text          NOT NULL,
  tid                       text          NOT NULL,
  nsu                       text          NOT NULL,
  authorization_code        text          NOT NULL,
  return_code               text          NOT NULL,
  -- The ECI that the acquirer answered, two digits; empty: it answered none. It may be less than the one that was sent.
  acquirer_eci              text          NOT NULL,
  -- The issuer's id of the sale: the next sale with the same kept card refers to it.
  issuer_transaction_id     text          NOT NULL,
  decline_code              text,
  decline_acquirer_code     text,
  decline_message           text,
  decline_retryable         boolean,
  decline_advice            text,
  -- Mastercard's merchant advice code, as the acquirer sent it: it says when a card may be tried again.
  decline_advice_code       text,
  denied_at                 timestamptz,
  payment_limit_date        timestamptz,
  due_date                  timestamptz,
  PRIMARY KEY (charge_id, position),
  CONSTRAINT payments_order_number UNIQUE (order_number),
  CONSTRAINT payments_whole CHECK (
    0 <= refunded_amount AND refunded_amount <= captured_amount AND captured_amount <= amount AND disputed_amount >= 0
    AND amount <= 99999999999 AND position BETWEEN 0 AND 9 AND installments BETWEEN 1 AND 12
    AND num_nonnulls(decline_code, denied_at) = CASE status WHEN 'DENIED' THEN 2 ELSE 0 END
    AND num_nonnulls(bin, last_four, brand, expiration_year, expiration_month, holder_name, card_source)
      = CASE WHEN pix_account IS NULL THEN 7 ELSE 0 END
    AND (pix_account IS NULL) = (pix_expires_at IS NULL)),
  CONSTRAINT payments_authentication CHECK (
    (authentication_eci IS NULL) = (authentication_version IS NULL)
    AND (authentication_eci IS NOT NULL OR authentication_value_hash IS NULL))
);
-- Declines of a seller and BIN: many within a minute are someone trying out cards.
CREATE INDEX payments_denied ON payments (seller_id, bin, denied_at)
  WHERE status = 'DENIED' AND NOT exempt_from_testing_guard;
-- The approved payments with a kept card, the latest first.
CREATE INDEX payments_credential ON payments (seller_id, credential, charge_id DESC)
  WHERE credential IS NOT NULL AND status NOT IN ('PENDING', 'DENIED', 'FAILED');
-- The sale that a dispute is about: by the acquirer's number of it, or by those on its receipt.
CREATE INDEX payments_tid ON payments (seller_id, tid) WHERE tid <> '';
CREATE INDEX payments_receipt ON payments (seller_id, nsu, authorization_code) WHERE nsu <> '';
-- An authentication pays once. Of a payment that failed nothing was held: the value may be sent again.
CREATE UNIQUE INDEX payments_authentication_once ON payments (seller_id, authentication_value_hash)
  WHERE authentication_value_hash IS NOT NULL AND status <> 'FAILED';

-- Operations at the acquirer, each on one payment.
CREATE TABLE transactions (
  charge_id         bigint             NOT NULL,
  -- Counted within the charge, from 1.
  id                int                NOT NULL,
  position          smallint           NOT NULL,
  type              transaction_type   NOT NULL,
  status            transaction_status NOT NULL,
  -- Who wants it: the seller (sent once), the service (a void, sent until the money is free), or somebody at
  -- the acquirer itself (found there).
  cause             transaction_cause  NOT NULL,
  amount            bigint             NOT NULL,
  -- One request of a seller; names its mark in the idempotency table.
  operation_id      uuid               NOT NULL,
  -- Nothing leaves for the acquirer after it; NULL = nothing has left yet.
  dispatch_deadline timestamptz,
  reason            text,
  -- Of a void: the Pix that came besides the one that paid.
  end_to_end_id     text,
  -- What an authorization was sent with, where the payment was then sent again with something else.
  attempt           json,
  -- Why it failed.
  failure           json,
  -- Who closed it by hand, why and when.
  resolution        json,
  created_at        timestamptz        NOT NULL,
  PRIMARY KEY (charge_id, id),
  FOREIGN KEY (charge_id, position) REFERENCES payments,
  CONSTRAINT transactions_whole CHECK (
    amount BETWEEN 0 AND 99999999999 AND (cause = 'REQUEST' OR type = 'VOID' OR (cause = 'ACQUIRER' AND type = 'REFUND'))
    AND length(reason) <= 2000 IS NOT FALSE)
);
CREATE UNIQUE INDEX transactions_one_authorization ON transactions (charge_id, position)
  WHERE type = 'AUTHORIZATION' AND status <> 'FAILED';
CREATE UNIQUE INDEX transactions_one_capture ON transactions (charge_id, position)
  WHERE type = 'CAPTURE' AND status <> 'FAILED';

-- What card holders take back through their banks: the acquirer's cases. Amounts in cents.
CREATE TABLE disputes (
  id                    bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id             bigint         NOT NULL,
  establishment_id      bigint         NOT NULL REFERENCES establishments,
  -- NULL: no payment of the seller is the sale that the acquirer names.
  charge_id             bigint,
  position              smallint       NOT NULL,
  status                dispute_status NOT NULL,
  stage                 dispute_stage  NOT NULL,
  amount                bigint         NOT NULL,
  withdrawn_amount      bigint         NOT NULL,
  reason_code           text           NOT NULL,
  reason_brand          text           NOT NULL,
  reason_text           text           NOT NULL,
  respond_by            date,
  -- The case keeps its name; each stage of it has another one.
  case_id               text           NOT NULL,
  acquirer_dispute_id   text           NOT NULL,
  tid                   text           NOT NULL,
  nsu                   text           NOT NULL,
  authorization_code    text           NOT NULL,
  brand                 text           NOT NULL,
  last_four             text           NOT NULL,
  evidence_file_name    text,
  evidence_content_type text,
  evidence_size         int,
  evidence_reason       text,
  evidence_submitted_at timestamptz,
  -- The oldest first: at, status, stage, text.
  history               json           NOT NULL,
  -- The seller's answer that left, while it is not known whether the acquirer has it. The operation names its file too.
  answer_kind           dispute_answer,
  answer_operation_id   uuid,
  answer_deadline       timestamptz,
  answer_by             text,
  ask_at                timestamptz,
  asks                  int            NOT NULL DEFAULT 0,
  -- When the seller is reminded, and then when an unanswered dispute has expired. NULL: nothing is due.
  due_at                timestamptz,
  reminded              boolean        NOT NULL,
  version               int            NOT NULL,
  sequence              int            NOT NULL,
  created_at            timestamptz    NOT NULL,
  updated_at            timestamptz    NOT NULL,
  FOREIGN KEY (charge_id, position) REFERENCES payments,
  CONSTRAINT disputes_case UNIQUE (establishment_id, case_id),
  CONSTRAINT disputes_whole CHECK (
    withdrawn_amount IN (0, amount) AND amount BETWEEN 0 AND 99999999999
    AND (answer_kind IS NULL) = (ask_at IS NULL) AND num_nonnulls(answer_kind, answer_operation_id, answer_deadline, answer_by) IN (0, 4)
    AND (answer_kind IS NULL OR status = 'NEEDS_RESPONSE'))
);
CREATE INDEX disputes_newest ON disputes (seller_id, created_at, id);
CREATE INDEX disputes_status ON disputes (seller_id, status, created_at, id);
CREATE INDEX disputes_charge ON disputes (seller_id, charge_id, created_at, id) WHERE charge_id IS NOT NULL;
CREATE INDEX disputes_open ON disputes (establishment_id) WHERE status IN ('NEEDS_RESPONSE', 'UNDER_REVIEW');
CREATE INDEX disputes_to_ask ON disputes (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX disputes_due ON disputes (due_at) WHERE due_at IS NOT NULL;

-- The file of an answer, in pieces as it came, until the acquirer's answer is known. It is never read.
CREATE TABLE evidence_chunks (
  operation_id uuid        NOT NULL,
  position     int         NOT NULL,
  bytes        bytea       NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (operation_id, position)
);
ALTER TABLE evidence_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX evidence_chunks_old ON evidence_chunks (created_at);

-- One row: from when on the next few charges may be compared. All replicas take turns by it, so that together they ask
-- the acquirer no more than a setting allows.
CREATE TABLE comparison_turn (
  id      smallint    PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  next_at timestamptz NOT NULL
);
INSERT INTO comparison_turn (next_at) VALUES (now());
