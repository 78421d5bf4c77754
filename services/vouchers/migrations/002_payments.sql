CREATE TYPE voucher_payment_status AS ENUM ('PENDING', 'PAID', 'DENIED', 'CANCELED');
CREATE TYPE voucher_operation AS ENUM ('PAYMENT', 'CANCELLATION', 'RELEASE');

-- Amounts in cents.
CREATE TABLE payments (
  id                  bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id           bigint      NOT NULL,
  -- Of a token that may be deleted since.
  token               text        NOT NULL,
  card_type           voucher_card_type NOT NULL,
  brand               text        NOT NULL,
  bin                 text        NOT NULL,
  last_four           text        NOT NULL,
  -- The seller's account at the issuer that the payment was made with.
  account             text        NOT NULL,
  reference_id        text,
  amount              bigint      NOT NULL,
  status              voucher_payment_status NOT NULL,
  -- Ours, given to the issuer before the call: the key by which an unanswered payment is found.
  order_number        text        NOT NULL,
  -- What the issuer calls it; empty until it answered.
  issuer_payment_id   text        NOT NULL,
  authorization_code  text        NOT NULL,
  decline_code        text,
  decline_issuer_code text,
  decline_message     text,
  decline_retryable   boolean,
  decline_advice      text,
  -- When the issuer declined; NULL for a payment that the issuer never took.
  denied_at           timestamptz,
  -- The operation at the issuer that has no outcome yet.
  operation_type      voucher_operation,
  operation_id        uuid,
  -- Nothing leaves for the issuer after it; NULL: a release that has not left.
  dispatch_deadline   timestamptz,
  operation_since     timestamptz,
  -- Operations that were closed by hand: who, why, when.
  resolutions         json,
  -- Counts the changes: the writer names the version that it read.
  version             int         NOT NULL,
  -- Counts the events told.
  sequence            int         NOT NULL,
  -- When a sweeper asks the issuer about the operation, and how often it has asked.
  ask_at              timestamptz,
  asks                int         NOT NULL DEFAULT 0,
  -- Since when it is denied because the issuer did not know it, and when the issuer is asked once more.
  absent_since        timestamptz,
  look_again_at       timestamptz,
  paid_at             timestamptz,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  CONSTRAINT payments_order_number UNIQUE (order_number),
  CONSTRAINT payments_whole CHECK (
    amount BETWEEN 1 AND 99999999999 AND length(reference_id) BETWEEN 1 AND 255 IS NOT FALSE
    AND (status = 'PENDING') = (operation_type IS NOT DISTINCT FROM 'PAYMENT')
    AND (operation_type IS NULL) = (ask_at IS NULL)
    AND (operation_type IS NULL) = (operation_id IS NULL)
    AND (status = 'DENIED') = (decline_code IS NOT NULL)
    AND (status IN ('PAID', 'CANCELED')) = (paid_at IS NOT NULL)
    AND CASE operation_type WHEN 'CANCELLATION' THEN status = 'PAID' WHEN 'RELEASE' THEN status = 'DENIED' ELSE true END)
);
-- Each list of payments, whatever it is filtered by, reads its page and its count from one index, newest first.
CREATE INDEX payments_newest ON payments (seller_id, created_at, id);
CREATE INDEX payments_status ON payments (seller_id, status, created_at, id);
CREATE INDEX payments_brand ON payments (seller_id, brand, created_at, id);
CREATE INDEX payments_token ON payments (token, created_at, id);
CREATE INDEX payments_reference_id ON payments (seller_id, reference_id, created_at, id) WHERE reference_id IS NOT NULL;
CREATE INDEX payments_to_ask ON payments (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX payments_to_look_at ON payments (look_again_at) WHERE look_again_at IS NOT NULL;
-- Declines of a seller and BIN: many within a minute are someone trying out cards.
CREATE INDEX payments_denied ON payments (seller_id, bin, denied_at) WHERE denied_at IS NOT NULL;
