CREATE TYPE voucher_card_type AS ENUM ('MEAL', 'FOOD');
CREATE TYPE voucher_token_status AS ENUM ('PENDING', 'ACTIVE', 'DENIED', 'EXPIRED', 'FAILED');

-- No number is here: the card's is in the vault, under the token.
CREATE TABLE voucher_tokens (
  token          text        PRIMARY KEY,
  seller_id      bigint      NOT NULL,
  card_type      voucher_card_type NOT NULL,
  -- A name of the settings, upper case.
  brand          text        NOT NULL,
  status         voucher_token_status NOT NULL,
  -- Empty until the card is known.
  bin            text        NOT NULL,
  last_four      text        NOT NULL,
  -- Counts the events told.
  sequence       int         NOT NULL,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  CONSTRAINT voucher_tokens_whole CHECK (
    token ~ '^[0-9a-f]{64}$' AND bin ~ '^([0-9]{6})?$' AND last_four ~ '^([0-9]{4})?$'
    AND (status <> 'ACTIVE' OR last_four <> ''))
);

-- What the vault is to destroy: the numbers of deleted tokens, and, after an hour, of tokens that were never saved.
CREATE TABLE discarded_vouchers (
  token      text        PRIMARY KEY,
  seller_id  bigint      NOT NULL,
  -- When a sweeper has it destroyed, and how often it has tried.
  ask_at     timestamptz NOT NULL,
  asks       int         NOT NULL DEFAULT 0
);
CREATE INDEX discarded_vouchers_due ON discarded_vouchers (ask_at);
