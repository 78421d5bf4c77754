CREATE TABLE customers (
  id                 bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id          bigint      NOT NULL,
  name               text        NOT NULL,
  -- As it is searched: whatever its case and however its accents were composed.
  name_key           text        NOT NULL,
  -- CPF or CNPJ, without mask.
  document           text        NOT NULL,
  birthdate          date,
  phone_country_code int,
  phone_area_code    int,
  phone_number       bigint,
  email              text,
  email_key          text,
  street             text,
  street_number      text,
  line_two           text,
  neighborhood       text,
  state              text,
  zip_code           text,
  city               text,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  CONSTRAINT customers_name CHECK (length(name) BETWEEN 1 AND 255),
  CONSTRAINT customers_document CHECK (document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
  CONSTRAINT customers_address CHECK ((state ~ '^[A-Z]{2}$') IS NOT FALSE AND (zip_code ~ '^[0-9]{8}$') IS NOT FALSE)
);
-- Each list of customers reads its page and its count from one index, newest first.
CREATE INDEX customers_newest ON customers (seller_id, created_at, id);
CREATE INDEX customers_document ON customers (seller_id, document, created_at, id);
CREATE INDEX customers_name ON customers (seller_id, name_key, created_at, id);
CREATE INDEX customers_email ON customers (seller_id, email_key, created_at, id);
