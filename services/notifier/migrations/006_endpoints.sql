-- URLs that sellers registered to be told of everything, or of some types of events.
CREATE TABLE endpoints (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id  bigint      NOT NULL,
  url        text        NOT NULL,
  -- Empty: all.
  events     text[]      NOT NULL,
  status     text        NOT NULL DEFAULT 'ENABLED',
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT endpoints_status CHECK (status IN ('ENABLED', 'DISABLED'))
);
CREATE INDEX endpoints_of_seller ON endpoints (seller_id, id DESC);

-- As secrets are, one current for each endpoint; a retired one signs for 24 hours more.
CREATE TABLE endpoint_secrets (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id bigint      NOT NULL REFERENCES endpoints ON DELETE CASCADE,
  sealed      bytea       NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  retired_at  timestamptz
);
CREATE UNIQUE INDEX endpoint_secrets_one_current ON endpoint_secrets (endpoint_id) WHERE retired_at IS NULL;
CREATE INDEX endpoint_secrets_retired ON endpoint_secrets (endpoint_id, retired_at);

CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, created_at) WHERE endpoint_id IS NOT NULL;
