-- Events that could not be read: they are kept for a person and never hold up their topic.
CREATE TABLE dead_events (
  event_id   text        PRIMARY KEY,
  topic      text        NOT NULL,
  type       text        NOT NULL,
  key        text        NOT NULL,
  seller_id  bigint      NOT NULL,
  value      text        NOT NULL,
  reason     text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
