-- What an identity provider gave for a voucher token: the authorization code until it is exchanged, then the tokens.
CREATE TABLE grants (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id     bigint      NOT NULL,
  voucher_token text        NOT NULL CONSTRAINT grants_voucher_token_is_64_hex CHECK (voucher_token ~ '^[0-9a-f]{64}$'),
  -- AES-256-GCM under the card key, with seller and voucher token as associated data.
  sealed        bytea       NOT NULL,
  -- A key that still seals a grant can't be destroyed, and nothing can be sealed under a destroyed one.
  data_key_id   uuid        NOT NULL CONSTRAINT grants_data_key REFERENCES data_keys,
  -- Counts what was given, from 1: an answer that comes late never replaces a newer one.
  version       bigint      NOT NULL DEFAULT 1 CONSTRAINT grants_version CHECK (version >= 1),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT grants_voucher_token UNIQUE (seller_id, voucher_token)
);
CREATE INDEX grants_data_key_id ON grants (data_key_id);
