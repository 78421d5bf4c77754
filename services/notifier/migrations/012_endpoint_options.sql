ALTER TABLE endpoints
  ADD description    text NOT NULL DEFAULT '',
  -- Headers that every attempt carries: the names, and a JSON object of names and values, sealed under SECRET_KEY_FILE.
  ADD header_names   text[] NOT NULL DEFAULT '{}',
  ADD headers_sealed bytea,
  -- Attempts a second; NULL: no limit.
  ADD rate_limit     integer,
  ADD CONSTRAINT endpoints_rate_limit CHECK (rate_limit > 0);

-- What endpoints with a rate limit have used: attempts are paid for until then. All replicas count here.
CREATE TABLE endpoint_rates (
  endpoint_id bigint      PRIMARY KEY REFERENCES endpoints ON DELETE CASCADE,
  paid_until  timestamptz NOT NULL
);
