-- A seller owns everything else in the product: cards, charges, tokens, users.
CREATE TABLE sellers (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text        NOT NULL,
  -- Of a seller with an old integration: unknown members of its request bodies are ignored, as Prefer: handling=lenient
  -- asks.
  lenient    boolean     NOT NULL DEFAULT false,
  -- Its users sign in with a code of an app beside the password: who has none sets it up first.
  two_steps  boolean     NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sellers_name CHECK (length(name) BETWEEN 1 AND 255)
);

-- A person who may sign in to a seller's portal.
CREATE TABLE portal_users (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id     bigint      NOT NULL REFERENCES sellers,
  email         text        NOT NULL,
  role          text        NOT NULL DEFAULT 'OWNER',
  -- scrypt$N$r$p$salt$hash; the cost can rise without touching stored rows. Null until an invited person chooses one.
  password_hash text,
  -- The SHA-256 of the secret in a link that lets the person choose a password, once.
  link_hash     bytea,
  link_ends_at  timestamptz,
  -- The secret of the person's authenticator app, sealed under the deployment's token key; the step of the last code that
  -- was taken; the SHA-256 of each recovery code that is left.
  totp_secret     bytea,
  totp_step       bigint,
  recovery_hashes bytea[] NOT NULL DEFAULT '{}',
  -- A disabled person signs in no more. The row stays: it names who did what.
  disabled_at   timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT portal_users_email UNIQUE (email),
  CONSTRAINT portal_users_email_lower CHECK (email = lower(email)),
  CONSTRAINT portal_users_link UNIQUE (link_hash),
  CONSTRAINT portal_users_totp CHECK ((totp_secret IS NULL) = (totp_step IS NULL)),
  CONSTRAINT portal_users_link_ends CHECK ((link_hash IS NULL) = (link_ends_at IS NULL)),
  CONSTRAINT portal_users_role CHECK (role IN ('OWNER', 'OPERATOR', 'SUPPORT', 'BOOKKEEPER', 'READ_ONLY'))
);
CREATE INDEX portal_users_seller ON portal_users (seller_id, id);

-- Who did what in the portal: added and never changed.
CREATE TABLE portal_audit (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id  bigint      NOT NULL REFERENCES sellers,
  -- The e-mail as it was: it stays when the person is removed.
  email      text        NOT NULL,
  address    text        NOT NULL,
  -- An operation of the API, or a word of the portal: SIGNED_IN, PERSON_INVITED.
  action     text        NOT NULL,
  -- What it was done to: charges/981.
  subject    text        NOT NULL,
  -- What was sent with it, without secrets.
  detail     json        NOT NULL DEFAULT '{}',
  at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX portal_audit_seller ON portal_audit (seller_id, id);

-- A browser that has signed in. Only the SHA-256 of its cookie rests here: the table signs nobody in.
CREATE TABLE portal_sessions (
  id_hash      bytea       PRIMARY KEY,
  user_id      bigint      NOT NULL REFERENCES portal_users ON DELETE CASCADE,
  -- What the next page of this browser says once: that something was done, or a new API token. Sealed under a key that
  -- only the browser's cookie gives, so that a copy of the table shows nothing.
  flash        bytea,
  -- The password was right, and a code is awaited: the session shows nothing yet.
  awaits_code  boolean     NOT NULL DEFAULT false,
  -- The last form that this browser sent, as a hash of its fields: sent again by a double click, it does nothing.
  last_form    bytea,
  -- Where it signed in from, and with which browser, so that its user recognises it.
  address      text        NOT NULL DEFAULT '',
  browser      text        NOT NULL DEFAULT '',
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  CONSTRAINT portal_sessions_id_hash CHECK (length(id_hash) = 32)
);
CREATE INDEX portal_sessions_expires_at ON portal_sessions (expires_at);
CREATE INDEX portal_sessions_user ON portal_sessions (user_id);

-- A browser in which a person has signed in before: strangers who guess the password don't lock it out. Only the SHA-256
-- of its cookie rests here.
CREATE TABLE portal_browsers (
  id_hash bytea       NOT NULL,
  user_id bigint      NOT NULL REFERENCES portal_users ON DELETE CASCADE,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, id_hash),
  CONSTRAINT portal_browsers_id_hash CHECK (length(id_hash) = 32)
);

-- Keys that sign API tokens (Ed25519). A retired key verifies the tokens it has signed and signs no more. Of a revoked
-- key, which somebody else may know, no token is accepted, and its public part is shown to nobody. Its row stays, as
-- the record of who revoked it and why.
CREATE TABLE signing_keys (
  kid               text        PRIMARY KEY,
  public_jwk        jsonb       NOT NULL,
  -- The private JWK, sealed under the deployment's token key; destroyed when the key is retired.
  private_jwk       bytea,
  created_at        timestamptz NOT NULL DEFAULT now(),
  retired_at        timestamptz,
  revoked_at        timestamptz,
  revoked_by        text,
  revocation_reason text,
  CONSTRAINT signing_keys_retired_has_no_private CHECK ((retired_at IS NULL) = (private_jwk IS NOT NULL)),
  CONSTRAINT signing_keys_revoked_is_retired CHECK (revoked_at IS NULL OR retired_at IS NOT NULL),
  CONSTRAINT signing_keys_revoked_has_reason CHECK ((revoked_at IS NULL) = (revocation_reason IS NULL))
);
-- One key signs at a time.
CREATE UNIQUE INDEX signing_keys_current ON signing_keys ((true)) WHERE retired_at IS NULL;

-- What is known of an API token; the token itself is nowhere.
CREATE TABLE api_tokens (
  -- The jti of the JWT.
  id           uuid        PRIMARY KEY,
  seller_id    bigint      NOT NULL REFERENCES sellers,
  title        text        NOT NULL,
  -- Empty: every scope.
  scopes       text[]      NOT NULL,
  kid          text        NOT NULL,
  -- The e-mail of the person who made it in the portal. Null: an operator made it.
  made_by      text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  CONSTRAINT api_tokens_title CHECK (length(title) BETWEEN 1 AND 255)
);
CREATE INDEX api_tokens_seller ON api_tokens (seller_id, created_at DESC);
CREATE INDEX api_tokens_kid ON api_tokens (kid);
