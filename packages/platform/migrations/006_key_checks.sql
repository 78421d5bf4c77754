-- A known value for each key that seals what this database holds, sealed at the first start: a key that does not open it
-- is another key.
CREATE TABLE key_checks (
  name   text  PRIMARY KEY,
  sealed bytea NOT NULL
);
