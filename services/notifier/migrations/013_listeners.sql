-- Programs that fetch a seller's events instead of being called: each has a secret of its own, and numbers what it is kept.
CREATE TABLE listeners (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint      NOT NULL,
  -- As those of endpoints. Empty: all.
  events      text[]      NOT NULL,
  -- The secret, sealed under SECRET_KEY_FILE.
  sealed      bytea,
  last_number bigint      NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now(),
  -- When it was last asked for events; it is forgotten a day later.
  read_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX listeners_of_seller ON listeners (seller_id, id);

CREATE TABLE listener_events (
  listener_id   bigint      NOT NULL REFERENCES listeners ON DELETE CASCADE,
  number        bigint      NOT NULL,
  webhook_id    text        NOT NULL,
  event_type    text        NOT NULL,
  resource_kind text        NOT NULL,
  resource_id   text        NOT NULL,
  resource_url  text        NOT NULL,
  -- The exact bytes to tell.
  body          text        NOT NULL,
  traceparent   text        NOT NULL,
  is_test       boolean     NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (listener_id, number)
);
CREATE INDEX listener_events_created ON listener_events (created_at);
