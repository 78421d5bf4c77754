-- Keys that sign API tokens (Ed25519). A retired key verifies the tokens it has signed and signs no more.
CREATE TABLE signing_keys (
  kid         text        PRIMARY KEY,
  public_jwk  jsonb       NOT NULL,
  -- The private JWK, sealed under the deployment's token key; destroyed when the key is retired.
  private_jwk bytea,
  created_at  timestamptz NOT NULL DEFAULT now(),
  retired_at  timestamptz,
  CONSTRAINT signing_keys_retired_has_no_private CHECK ((retired_at IS NULL) = (private_jwk IS NOT NULL))
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
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  CONSTRAINT api_tokens_title CHECK (length(title) BETWEEN 1 AND 255)
);
CREATE INDEX api_tokens_seller ON api_tokens (seller_id, created_at DESC);
CREATE INDEX api_tokens_kid ON api_tokens (kid);
