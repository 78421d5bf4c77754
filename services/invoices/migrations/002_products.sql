CREATE TYPE product_type AS ENUM ('ONETIME', 'RECURRING');

-- Amounts in cents.
CREATE TABLE products (
  id               bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id        bigint       NOT NULL,
  product_type     product_type NOT NULL,
  name             text         NOT NULL,
  -- As it is searched: whatever its case and however its accents were composed.
  name_key         text         NOT NULL,
  value            bigint       NOT NULL,
  affiliate_id     bigint,
  soft_descriptor  text,
  max_installments smallint,
  active           boolean      NOT NULL,
  -- A list of names: CREDIT_CARD, BOLETO, PIX.
  methods          json         NOT NULL,
  description      text,
  theme_id         bigint,
  fee_pass_through boolean      NOT NULL,
  created_at       timestamptz  NOT NULL,
  updated_at       timestamptz  NOT NULL,
  CONSTRAINT products_name CHECK (length(name) BETWEEN 1 AND 255),
  CONSTRAINT products_value CHECK (value BETWEEN 0 AND 99999999999),
  CONSTRAINT products_max_installments CHECK (max_installments BETWEEN 1 AND 12)
);
-- Each list of products reads its page and its count from one index, newest first.
CREATE INDEX products_newest ON products (seller_id, created_at, id);
CREATE INDEX products_name ON products (seller_id, name_key, created_at, id);
CREATE INDEX products_type ON products (seller_id, product_type, created_at, id);
CREATE INDEX products_active ON products (seller_id, active, created_at, id);
