-- The secrets that sign a seller's deliveries, sealed under SECRET_KEY_FILE. A retired one signs for 24 hours more.
CREATE TABLE secrets (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id  bigint      NOT NULL,
  sealed     bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz
);
CREATE UNIQUE INDEX secrets_one_current ON secrets (seller_id) WHERE retired_at IS NULL;
CREATE INDEX secrets_retired ON secrets (seller_id, retired_at) WHERE retired_at IS NOT NULL;
