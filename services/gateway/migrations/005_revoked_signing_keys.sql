-- A signing key that somebody else may know: none of its tokens is taken, and its public part is told to nobody. The row
-- stays, as the record of who did so and why.
ALTER TABLE signing_keys
  ADD COLUMN revoked_at timestamptz,
  ADD COLUMN revoked_by text,
  ADD COLUMN revocation_reason text,
  ADD CONSTRAINT signing_keys_revoked_is_retired CHECK (revoked_at IS NULL OR retired_at IS NOT NULL),
  ADD CONSTRAINT signing_keys_revoked_has_reason CHECK ((revoked_at IS NULL) = (revocation_reason IS NULL));
