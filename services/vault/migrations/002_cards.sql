CREATE TABLE cards (
  id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id        bigint      NOT NULL,
  token            text        NOT NULL CONSTRAINT cards_token_is_64_hex CHECK (token ~ '^[0-9a-f]{64}$'),
  -- AES-256-GCM under the data key, with seller and token as associated data. The CVV is never stored.
  sealed_number    bytea       NOT NULL,
  -- A key that still seals a number can't be destroyed, and nothing can be sealed under a destroyed one.
  data_key_id      uuid        NOT NULL CONSTRAINT cards_data_key REFERENCES data_keys,
  -- HMAC of the number under a key of the seller's own: tells the same card without opening any.
  fingerprint      bytea       NOT NULL CONSTRAINT cards_fingerprint_is_32_bytes CHECK (length(fingerprint) = 32),
  bin              text        NOT NULL CONSTRAINT cards_bin_is_6_digits CHECK (bin ~ '^[0-9]{6}$'),
  last_four        text        NOT NULL CONSTRAINT cards_last_four_is_4_digits CHECK (last_four ~ '^[0-9]{4}$'),
  brand            text        NOT NULL,
  expiration_year  integer     NOT NULL CONSTRAINT cards_expiration_year CHECK (expiration_year BETWEEN 2000 AND 9999),
  expiration_month integer     NOT NULL CONSTRAINT cards_expiration_month CHECK (expiration_month BETWEEN 1 AND 12),
  holder_name      text        NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT cards_token UNIQUE (token)
);
CREATE INDEX cards_data_key_id ON cards (data_key_id);
