-- What a payer's authentication by 3-D Secure was. Its value is a secret: of it there is the SHA-256, in hexadecimal.
-- Safe while the old code runs: it neither reads nor writes the columns.
ALTER TABLE payments
  ADD COLUMN authentication_eci        text,
  ADD COLUMN authentication_version    text,
  ADD COLUMN authentication_value_hash text;
ALTER TABLE payments
  ADD CONSTRAINT payments_authentication CHECK (
    (authentication_eci IS NULL) = (authentication_version IS NULL)
    AND (authentication_eci IS NOT NULL OR authentication_value_hash IS NULL)) NOT VALID;
-- An authentication pays once. Of a payment that failed nothing was held: the value may be sent anew.
CREATE UNIQUE INDEX payments_authentication_once ON payments (seller_id, authentication_value_hash)
  WHERE authentication_value_hash IS NOT NULL AND status <> 'FAILED';
