-- A seller owns everything else in the product: cards, charges, tokens, users.
CREATE TABLE sellers (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sellers_name CHECK (length(name) BETWEEN 1 AND 255)
);

-- A person who may sign in to a seller's portal.
CREATE TABLE portal_users (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id     bigint      NOT NULL REFERENCES sellers,
  email         text        NOT NULL,
  -- scrypt$N$r$p$salt$hash; the cost can rise without touching old rows.
  password_hash text        NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT portal_users_email UNIQUE (email),
  CONSTRAINT portal_users_email_lower CHECK (email = lower(email))
);

-- A browser that has signed in. Only the SHA-256 of its cookie rests here: the table signs nobody in.
CREATE TABLE portal_sessions (
  id_hash      bytea       PRIMARY KEY,
  user_id      bigint      NOT NULL REFERENCES portal_users ON DELETE CASCADE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  CONSTRAINT portal_sessions_id_hash CHECK (length(id_hash) = 32)
);
CREATE INDEX portal_sessions_expires_at ON portal_sessions (expires_at);
CREATE INDEX portal_sessions_user ON portal_sessions (user_id);
