-- Events, written in the same transaction as the change that they tell of; the relay deletes what it has published.
CREATE TABLE outbox (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id    uuid        NOT NULL DEFAULT gen_random_uuid(),
  topic       text        NOT NULL,
  key         text        NOT NULL,
  type        text        NOT NULL,
  seller_id   bigint      NOT NULL,
  traceparent text        NOT NULL,
  value       text        NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
