-- Sellers' accounts at partners: what calls are made with. Only the vault holds a partner's credential.
CREATE TABLE accounts (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint      NOT NULL,
  partner     text        NOT NULL,
  -- The seller's name at the partner: the merchant id.
  name        text        NOT NULL,
  -- Of a seller's accounts at a partner the lowest is the default one; NULL = used only by its name.
  preference  bigint,
  -- AES-256-GCM under the card key, with seller, partner and name as associated data.
  sealed      bytea       NOT NULL,
  -- A key that still seals an account can't be destroyed, and nothing can be sealed under a destroyed one.
  data_key_id uuid        NOT NULL CONSTRAINT accounts_data_key REFERENCES data_keys,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT accounts_name UNIQUE (seller_id, partner, name)
);
CREATE INDEX accounts_data_key_id ON accounts (data_key_id);
