-- How a seller's invoices look; without a row, as the service has it.
CREATE TABLE themes (
  seller_id         bigint      PRIMARY KEY,
  -- Colours: # and three or six hexadecimal digits.
  primary_color     text        NOT NULL,
  secondary_color   text        NOT NULL,
  logo_url          text,
  header_background text        NOT NULL,
  header_text       text        NOT NULL,
  body_background   text        NOT NULL,
  body_text         text        NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT themes_colors CHECK (
    primary_color || secondary_color || header_background || header_text || body_background || body_text
      ~ '^(#([0-9A-Fa-f]{3}){1,2}){6}$')
);
