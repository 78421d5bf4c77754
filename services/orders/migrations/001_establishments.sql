-- A seller's accounts at the acquirer. The merchant key is sealed under the service's establishment key.
CREATE TABLE establishments (
  id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id      bigint      NOT NULL,
  -- The seller's store; NULL = the seller's default.
  affiliate_id   bigint,
  merchant_id    text        NOT NULL,
  merchant_key   bytea       NOT NULL,
  network_tokens boolean     NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT establishments_store UNIQUE NULLS NOT DISTINCT (seller_id, affiliate_id),
  CONSTRAINT establishments_affiliate_id CHECK (affiliate_id >= 0)
);
