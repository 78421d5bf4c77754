-- Whom attempts go to: an endpoint, or a host that a seller's requests name. Each has lanes of its own, so that one
-- with a million of them waiting costs whoever looks for due lanes no more than one with a single lane.
CREATE TABLE receivers (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint      NOT NULL,
  -- 'endpoint 3', or the host of a notificationUrl without its port.
  name        text        NOT NULL,
  -- No foreign key: the lanes of a deleted endpoint are closed after it is gone.
  endpoint_id bigint,
  host        text        NOT NULL,
  -- PAUSED: its endpoint is disabled. CLOSING: its endpoint was deleted.
  state       text        NOT NULL DEFAULT 'OPEN',
  -- When the next of its lanes is due, or earlier. Infinity: it has none, or is not OPEN.
  next_at     timestamptz NOT NULL,
  CONSTRAINT receivers_once UNIQUE (seller_id, name),
  CONSTRAINT receivers_state CHECK (state IN ('OPEN', 'PAUSED', 'CLOSING'))
);
CREATE INDEX receivers_next ON receivers (next_at);
CREATE INDEX receivers_closing ON receivers (id) WHERE state = 'CLOSING';
CREATE UNIQUE INDEX receivers_of_endpoint ON receivers (endpoint_id) WHERE endpoint_id IS NOT NULL;

ALTER TABLE lanes
  -- NULL: opened by a replica of the version before, and not sorted yet.
  ADD receiver_id bigint,
  -- Whether its head failed before: first attempts go first.
  ADD retried boolean NOT NULL DEFAULT false;
CREATE INDEX lanes_of_receiver ON lanes (receiver_id, retried, due_at, id);
-- Replicas of the version before claim without it for as long as they run; with it, claims of one receiver would read
-- past the lanes of all others.
DROP INDEX lanes_due;
CREATE INDEX lanes_unsorted ON lanes (id) WHERE receiver_id IS NULL;

ALTER TABLE endpoints
  -- When the first attempt failed since the last one that was answered well.
  ADD failing_since timestamptz;

-- What sellers asked to send again, until all of it is sent. First the failed deliveries are gone through, then the lanes
-- that wait: those without an attempt, which only a disabled endpoint has, and those that wait for a later retry.
CREATE TABLE recoveries (
  endpoint_id bigint      PRIMARY KEY REFERENCES endpoints ON DELETE CASCADE,
  since       timestamptz NOT NULL,
  phase       text        NOT NULL DEFAULT 'FAILED',
  -- The last one gone through: when a delivery was made and its id, when a lane was due and its id.
  reached_at  timestamptz NOT NULL,
  reached_id  text        NOT NULL DEFAULT '',
  CONSTRAINT recoveries_phase CHECK (phase IN ('FAILED', 'FIRST', 'RETRY'))
);
CREATE INDEX deliveries_missed ON deliveries (endpoint_id, created_at, id) WHERE status = 'FAILED' AND endpoint_id IS NOT NULL;
CREATE INDEX deliveries_failed_in_lane ON deliveries (lane) WHERE status = 'FAILED';
