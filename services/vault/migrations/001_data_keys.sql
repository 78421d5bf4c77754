-- The keys that data are sealed under, each wrapped by a key-encryption key that is not in this database.
CREATE TABLE data_keys (
  id         uuid        PRIMARY KEY,
  purpose    text        NOT NULL CONSTRAINT data_keys_purpose
                         CHECK (purpose IN ('card', 'handle', 'fingerprint', 'jwe')),
  wrapped    bytea       NOT NULL,
  kek_id     text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A retired key still opens what it sealed; nothing new is sealed under it.
  retired_at timestamptz
);
-- One key of each purpose is current, however many processes start or rotate at once.
CREATE UNIQUE INDEX data_keys_current ON data_keys (purpose) WHERE retired_at IS NULL;
