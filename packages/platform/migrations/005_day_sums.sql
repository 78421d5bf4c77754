-- What the days of a seller add up to, by name: a report reads few rows, however much happened.
CREATE TABLE day_sums (
  seller_id bigint NOT NULL,
  -- Of America/Sao_Paulo.
  day       date   NOT NULL,
  name      text   NOT NULL,
  count     bigint NOT NULL,
  -- Cents.
  amount    bigint NOT NULL,
  PRIMARY KEY (seller_id, day, name)
);

-- What has yet to be added to them. Each change is a row of its own, so that no transaction waits for another's sum.
CREATE TABLE day_changes (
  seller_id bigint NOT NULL,
  day       date   NOT NULL,
  id        bigint GENERATED ALWAYS AS IDENTITY,
  name      text   NOT NULL,
  count     bigint NOT NULL,
  amount    bigint NOT NULL,
  PRIMARY KEY (seller_id, day, id)
);
