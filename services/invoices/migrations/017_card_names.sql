-- What a payer reads of a stored card: its brand, empty when none is known, and its last four digits.
CREATE TABLE card_names (
  card_id   bigint PRIMARY KEY,
  brand     text   NOT NULL,
  last_four text   NOT NULL CONSTRAINT card_names_last_four CHECK (last_four ~ '^[0-9]{4}$')
);
