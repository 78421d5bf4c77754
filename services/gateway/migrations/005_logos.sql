-- Pictures that sellers uploaded as their logo: anybody who knows the address of one sees it. A few of each seller are kept, for
-- letters that were sent with an earlier one.
CREATE TABLE logos (
  seller_id    bigint      NOT NULL REFERENCES sellers,
  -- The SHA-256 of its bytes in base64url: its address.
  hash         text        NOT NULL,
  content_type text        NOT NULL,
  bytes        bytea       NOT NULL,
  uploaded_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (hash, seller_id),
  CONSTRAINT logos_whole CHECK (
    length(bytes) BETWEEN 1 AND 204800 AND content_type IN ('image/png', 'image/jpeg', 'image/webp') AND length(hash) = 43)
);
CREATE INDEX logos_seller ON logos (seller_id, uploaded_at);
