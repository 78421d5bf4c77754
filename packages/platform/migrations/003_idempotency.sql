-- One row for each use of an Idempotency-Key, written with the effect that it names; kept 7 days.
CREATE TABLE idempotency (
  seller_id    bigint      NOT NULL,
  key          text        NOT NULL,
  method       text        NOT NULL,
  path         text        NOT NULL,
  fingerprint  text        NOT NULL,
  -- What the work in flight is called in the service's own tables, so that a sweeper can finish the mark.
  operation_id uuid        NOT NULL,
  -- The encoded RPC answer; present when the work is done.
  response     bytea,
  created_at   timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  CONSTRAINT idempotency_scope PRIMARY KEY (seller_id, key, method, path),
  CONSTRAINT idempotency_done_has_answer CHECK ((response IS NULL) = (completed_at IS NULL))
);
CREATE UNIQUE INDEX idempotency_operation ON idempotency (operation_id);
CREATE INDEX idempotency_created_at ON idempotency (created_at);
