-- The keys that data are sealed under, each wrapped by a key-encryption key that is not in this database.
CREATE TABLE data_keys (
  id         uuid        PRIMARY KEY,
  purpose    text        NOT NULL CONSTRAINT data_keys_purpose
                         CHECK (purpose IN ('card', 'handle', 'fingerprint', 'jwe')),
  wrapped    bytea       NOT NULL,
  kek_id     text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A retired key still opens what it sealed; nothing new is sealed under it.
  retired_at timestamptz
);
-- One key of each purpose is current, however many processes start or rotate at once.
CREATE UNIQUE INDEX data_keys_current ON data_keys (purpose) WHERE retired_at IS NULL;

-- Card numbers, sealed: of stored cards, of network tokens and of vouchers. A network token has two, each in a row of
-- its own: the card's, kept to try a payment with it once more, and the network's. The tokens of all but stored cards
-- are derived, so that none of them can be named as a stored card.
CREATE TABLE cards (
  id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id        bigint      NOT NULL,
  token            text        NOT NULL CONSTRAINT cards_token_is_64_hex CHECK (token ~ '^[0-9a-f]{64}$'),
  kind             text        NOT NULL DEFAULT 'card' CONSTRAINT cards_kind
                               CHECK (kind IN ('card', 'token_card', 'token_number', 'voucher')),
  -- AES-256-GCM under the data key, with seller and token as associated data. The CVV is never stored.
  sealed_number    bytea       NOT NULL,
  -- A key that still seals a number can't be destroyed, and nothing can be sealed under a destroyed one.
  data_key_id      uuid        NOT NULL CONSTRAINT cards_data_key REFERENCES data_keys,
  bin              text        NOT NULL CONSTRAINT cards_bin_is_6_digits CHECK (bin ~ '^[0-9]{6}$'),
  last_four        text        NOT NULL CONSTRAINT cards_last_four_is_4_digits CHECK (last_four ~ '^[0-9]{4}$'),
  brand            text        NOT NULL,
  expiration_year  integer     NOT NULL CONSTRAINT cards_expiration_year CHECK (expiration_year BETWEEN 2000 AND 9999),
  expiration_month integer     NOT NULL CONSTRAINT cards_expiration_month CHECK (expiration_month BETWEEN 1 AND 12),
  holder_name      text        NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  -- A card taken for a token that was then not asked for is destroyed at this time.
  kept_until       timestamptz CONSTRAINT cards_kept_until CHECK (kept_until IS NULL OR kind = 'token_card'),
  CONSTRAINT cards_token UNIQUE (token)
);
CREATE INDEX cards_data_key_id ON cards (data_key_id);
CREATE INDEX cards_kept_until ON cards (kept_until) WHERE kept_until IS NOT NULL;

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
  -- Grows by one with each replacement: what was had with replaced credentials is not used any more.
  version     bigint      NOT NULL DEFAULT 1,
  -- When the client certificate among the credentials expires.
  certificate_expires_at timestamptz,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT accounts_name UNIQUE (seller_id, partner, name)
);
-- An agreement with the bank, and a Pix key, belong to one seller.
CREATE UNIQUE INDEX accounts_agreement ON accounts (partner, name) WHERE partner IN ('bank', 'pix');
CREATE INDEX accounts_data_key_id ON accounts (data_key_id);

-- Access tokens that partners gave for accounts (RFC 6749, section 4.4). Replicas share them; a restart keeps them.
CREATE TABLE access_tokens (
  account_id      bigint      NOT NULL CONSTRAINT access_tokens_account REFERENCES accounts ON DELETE CASCADE,
  -- Whose calls it admits: several partners may use one account.
  partner         text        NOT NULL,
  account_version bigint      NOT NULL,
  -- AES-256-GCM under the card key, with account, its version and partner as associated data.
  sealed          bytea       NOT NULL,
  -- A token goes with its key: the next call gets another.
  data_key_id     uuid        NOT NULL CONSTRAINT access_tokens_data_key REFERENCES data_keys ON DELETE CASCADE,
  usable_until    timestamptz NOT NULL,
  CONSTRAINT access_tokens_owner PRIMARY KEY (account_id, partner)
);
CREATE INDEX access_tokens_data_key_id ON access_tokens (data_key_id);

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

-- First digits of card numbers that the platform team assigned to a brand. They win over the list of the program.
CREATE TABLE bins (
  prefix     text        PRIMARY KEY CONSTRAINT bins_prefix_is_2_to_8_digits CHECK (prefix ~ '^[0-9]{2,8}$'),
  brand      text        NOT NULL CONSTRAINT bins_brand CHECK (brand IN
                         ('VISA', 'MASTERCARD', 'AMEX', 'ELO', 'HIPERCARD', 'DINERS', 'DISCOVER', 'JCB')),
  updated_at timestamptz NOT NULL DEFAULT now()
);
