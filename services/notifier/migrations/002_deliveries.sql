-- One row for each event and receiver: the exact bytes to send, and what became of them. Kept 30 days.
CREATE TABLE deliveries (
  id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id      text        NOT NULL,
  -- NULL: to the notificationUrl that the seller gave with the request.
  endpoint_id     bigint,
  seller_id       bigint      NOT NULL,
  event_type      text        NOT NULL,
  resource_kind   text        NOT NULL,
  resource_id     text        NOT NULL,
  resource_url    text        NOT NULL,
  -- The order of a resource's events.
  sequence        bigint      NOT NULL,
  url             text        NOT NULL,
  body            text        NOT NULL,
  traceparent     text        NOT NULL,
  status          text        NOT NULL DEFAULT 'PENDING',
  attempts        integer     NOT NULL DEFAULT 0,
  last_status     integer,
  last_error      text,
  -- NULL: settled, or waiting for its turn in the lane.
  next_attempt_at timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  lane            uuid        NOT NULL GENERATED ALWAYS AS
    (md5(coalesce(endpoint_id::text, url) || ' ' || resource_kind || ' ' || resource_id)::uuid) STORED,
  CONSTRAINT deliveries_once UNIQUE NULLS NOT DISTINCT (webhook_id, endpoint_id),
  CONSTRAINT deliveries_status CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
  CONSTRAINT deliveries_settled_has_no_next CHECK (status = 'PENDING' OR next_attempt_at IS NULL)
);
CREATE INDEX deliveries_waiting ON deliveries (lane, sequence, id) WHERE status = 'PENDING';
CREATE INDEX deliveries_settled ON deliveries (created_at) WHERE status <> 'PENDING';

-- The queue. A lane is a receiver and a resource with something still to be told; only its oldest pending delivery may
-- be attempted, so a resource's events arrive in order and no resource waits for another.
CREATE TABLE lanes (
  id     uuid        PRIMARY KEY,
  host   text        NOT NULL,
  -- When the next attempt may be made. While one runs: when it counts as lost and another may be made.
  due_at timestamptz NOT NULL DEFAULT now(),
  -- Held by the attempt that runs; only its holder may write the outcome.
  lease  uuid
);
CREATE INDEX lanes_due ON lanes (due_at);

CREATE TABLE attempts (
  delivery_id bigint      NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  number      integer     NOT NULL,
  at          timestamptz NOT NULL,
  -- What the receiver answered, or why nothing was heard.
  status      integer,
  error       text,
  duration_ms integer     NOT NULL,
  PRIMARY KEY (delivery_id, number),
  CONSTRAINT attempts_outcome CHECK ((status IS NULL) <> (error IS NULL))
);
CREATE INDEX attempts_at ON attempts (at);
