-- One table for all that signs: the secrets of a seller, which sign what goes to the URL of a request, and those of an
-- endpoint. Of each owner one secret is current; a retired one signs for 24 hours more.
LOCK TABLE endpoints IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE secrets, endpoint_secrets IN ACCESS EXCLUSIVE MODE;

ALTER TABLE secrets RENAME TO signing_secrets;
ALTER TABLE signing_secrets
  ALTER seller_id DROP NOT NULL,
  ADD endpoint_id bigint REFERENCES endpoints ON DELETE CASCADE,
  ADD CONSTRAINT signing_secrets_one_owner CHECK (num_nonnulls(seller_id, endpoint_id) = 1);
INSERT INTO signing_secrets (endpoint_id, sealed, created_at, retired_at)
  SELECT endpoint_id, sealed, created_at, retired_at FROM endpoint_secrets ORDER BY id;
DROP TABLE endpoint_secrets;

DROP INDEX secrets_one_current, secrets_retired;
CREATE UNIQUE INDEX signing_secrets_one_current ON signing_secrets (seller_id, endpoint_id) NULLS NOT DISTINCT
  WHERE retired_at IS NULL;
CREATE INDEX signing_secrets_of_seller ON signing_secrets (seller_id, retired_at) WHERE seller_id IS NOT NULL;
CREATE INDEX signing_secrets_of_endpoint ON signing_secrets (endpoint_id, retired_at) WHERE endpoint_id IS NOT NULL;

-- Replicas of the version before read and write these while an upgrade rolls.
CREATE VIEW secrets AS
  SELECT id, seller_id, sealed, created_at, retired_at FROM signing_secrets WHERE seller_id IS NOT NULL;
CREATE VIEW endpoint_secrets AS
  SELECT id, endpoint_id, sealed, created_at, retired_at FROM signing_secrets WHERE endpoint_id IS NOT NULL;
