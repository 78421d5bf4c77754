-- Endpoints that were disabled, until somebody who knows the seller's users has taken over to tell them.
CREATE TABLE disablings (
  -- The same however often it is told.
  id          uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id   bigint      NOT NULL,
  endpoint_id bigint      NOT NULL,
  url         text        NOT NULL,
  reason      text        NOT NULL,
  disabled_at timestamptz NOT NULL DEFAULT now(),
  -- How often it was taken, and when it may be taken next.
  asks        integer     NOT NULL DEFAULT 0,
  ask_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT disablings_reason CHECK (reason IN ('GONE', 'FAILING'))
);
CREATE INDEX disablings_due ON disablings (ask_at);
