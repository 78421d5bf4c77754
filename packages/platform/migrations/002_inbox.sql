-- Events already handled here: a consumer drops what it has seen.
CREATE TABLE inbox (
  consumer   text        NOT NULL,
  event_id   uuid        NOT NULL,
  handled_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_handled_at ON inbox (handled_at);
