CREATE TYPE voucher_card_type AS ENUM ('MEAL', 'FOOD');
CREATE TYPE voucher_token_status AS ENUM ('PENDING', 'ACTIVE', 'DENIED', 'EXPIRED', 'FAILED');
CREATE TYPE voucher_redirect_phase AS ENUM ('SENT', 'CODE', 'CARD');
CREATE TYPE voucher_payment_status AS ENUM ('PENDING', 'PAID', 'DENIED', 'CANCELED');
CREATE TYPE voucher_operation AS ENUM ('PAYMENT', 'CANCELLATION', 'RELEASE');

-- Vouchers that pay. No secret is here: a card's number, an authorization code, access and refresh tokens are in the
-- vault, under the token. The columns from `notification_url` to `ask_at` serve tokens by redirect, whose holder logs in
-- at the brand.
CREATE TABLE voucher_tokens (
  token             text        PRIMARY KEY,
  seller_id         bigint      NOT NULL,
  card_type         voucher_card_type NOT NULL,
  -- A name of the settings, upper case.
  brand             text        NOT NULL,
  status            voucher_token_status NOT NULL,
  -- Why it is not ACTIVE.
  reason            text,
  -- Empty until the card is known.
  bin               text        NOT NULL,
  last_four         text        NOT NULL,
  notification_url  text,
  card_reference    text,
  -- The seller's client at the identity provider.
  client_id         text,
  -- What is next while it is PENDING: the holder comes back, the code is exchanged, the card is read.
  phase             voucher_redirect_phase,
  -- SHA-256 of the code, by which a reloaded page is known.
  code_hash         text,
  -- The PKCE verifier of a code that is being exchanged: to use the code up where that was cut off. Of no use without it.
  code_verifier     text,
  -- Until when the holder may come back, or the card be read.
  expires_at        timestamptz,
  -- What the issuer calls the card.
  issuer_card_id    text,
  access_expires_at timestamptz,
  -- One process at a time renews the access token.
  renewing_until    timestamptz,
  -- When a sweeper looks at it, and how often it has looked.
  ask_at            timestamptz,
  asks              int         NOT NULL DEFAULT 0,
  -- Counts the changes: the writer names the version that it read.
  version           int         NOT NULL,
  -- Counts the events sent.
  sequence          int         NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT voucher_tokens_whole CHECK (
    token ~ '^[0-9a-f]{64}$' AND bin ~ '^([0-9]{6})?$' AND last_four ~ '^([0-9]{4})?$'
    AND (status <> 'ACTIVE' OR last_four <> '')),
  CONSTRAINT voucher_tokens_redirect CHECK (
    (status = 'PENDING') = (phase IS NOT NULL) AND (phase IS NULL) = (ask_at IS NULL)
    AND (phase IS NULL OR client_id IS NOT NULL AND notification_url IS NOT NULL AND expires_at IS NOT NULL)
    AND (status NOT IN ('DENIED', 'EXPIRED', 'FAILED') OR reason IS NOT NULL))
);
CREATE INDEX voucher_tokens_to_ask ON voucher_tokens (ask_at) WHERE ask_at IS NOT NULL;

-- What the vault is to destroy: the numbers of deleted tokens, and, after an hour, of tokens that were never saved.
CREATE TABLE discarded_vouchers (
  token         text        PRIMARY KEY,
  seller_id     bigint      NOT NULL,
  -- What it may have left at an identity provider is taken back there first.
  brand         text,
  client_id     text,
  code_verifier text,
  -- When a sweeper has it destroyed, and how often it has tried.
  ask_at        timestamptz NOT NULL,
  asks          int         NOT NULL DEFAULT 0
);
CREATE INDEX discarded_vouchers_due ON discarded_vouchers (ask_at);

-- Payments by voucher. Amounts in cents.
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
  -- Counts the events sent.
  sequence            int         NOT NULL,
  -- When a sweeper asks the issuer about the operation, and how often it has asked.
  ask_at              timestamptz,
  asks                int         NOT NULL DEFAULT 0,
  -- Since when it is denied because the issuer did not know it. When the issuer is asked once more about that, or about a
  -- payment that is paid.
  absent_since        timestamptz,
  look_again_at       timestamptz,
  paid_at             timestamptz,
  -- When it was known that a cancellation, which was answered as pending, did not happen.
  cancel_failed_at    timestamptz,
  -- Canceled at the issuer, not by a request of ours.
  canceled_by_issuer  boolean     NOT NULL DEFAULT false,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  CONSTRAINT payments_order_number UNIQUE (order_number),
  CONSTRAINT payments_whole CHECK (
    amount BETWEEN 1 AND 99999999999 AND length(reference_id) BETWEEN 1 AND 255 IS NOT FALSE
    AND (status = 'PENDING') = (operation_type IS NOT DISTINCT FROM 'PAYMENT')
    AND (operation_type IS NULL) = (ask_at IS NULL)
    AND (operation_type IS NULL) = (operation_id IS NULL)
    AND (status = 'DENIED') = (decline_code IS NOT NULL)
    AND (status = 'CANCELED' OR NOT canceled_by_issuer)
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
