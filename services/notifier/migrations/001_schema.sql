-- URLs that sellers registered to receive all events, or some types of them.
CREATE TABLE endpoints (
  id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id      bigint      NOT NULL,
  url            text        NOT NULL,
  description    text        NOT NULL DEFAULT '',
  -- Types, and prefixes such as `charge.*`. Empty: all.
  events         text[]      NOT NULL,
  -- Headers that every attempt carries: the names, and a JSON object of names and values, sealed under SECRET_KEY_FILE.
  header_names   text[]      NOT NULL DEFAULT '{}',
  headers_sealed bytea,
  -- Attempts a second; NULL: no limit.
  rate_limit     integer,
  status         text        NOT NULL DEFAULT 'ENABLED',
  -- When the first attempt failed since the last one that was answered well.
  failing_since  timestamptz,
  created_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT endpoints_rate_limit CHECK (rate_limit > 0),
  CONSTRAINT endpoints_status CHECK (status IN ('ENABLED', 'DISABLED'))
);
CREATE INDEX endpoints_of_seller ON endpoints (seller_id, id DESC);

-- What endpoints with a rate limit have used: attempts are paid for until then. All replicas count here.
CREATE TABLE endpoint_rates (
  endpoint_id bigint      PRIMARY KEY REFERENCES endpoints ON DELETE CASCADE,
  paid_until  timestamptz NOT NULL
);

-- Endpoints that were disabled, until somebody who knows the seller's users has taken over to tell them.
CREATE TABLE disablings (
  -- The same however often it is sent.
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

-- What sellers asked to send again, until all of it is sent. First the failed deliveries are gone through, then the lanes
-- that wait: those without an attempt, which only a disabled endpoint has, and those that wait for a later retry.
CREATE TABLE recoveries (
  endpoint_id bigint      PRIMARY KEY REFERENCES endpoints ON DELETE CASCADE,
  since       timestamptz NOT NULL,
  -- When the seller asked, the last time: what was attempted since then is not sent once more.
  asked_at    timestamptz NOT NULL DEFAULT now(),
  phase       text        NOT NULL DEFAULT 'FAILED',
  -- The last one gone through: when a delivery was made and its id, when a lane was due and its id.
  reached_at  timestamptz NOT NULL,
  reached_id  text        NOT NULL DEFAULT '',
  CONSTRAINT recoveries_phase CHECK (phase IN ('FAILED', 'FIRST', 'RETRY'))
);

-- All that signs, sealed under SECRET_KEY_FILE: the secrets of a seller, which sign what goes to the URL of a request,
-- and those of an endpoint. Of each owner one secret is current; a retired one signs for 24 hours more.
CREATE TABLE signing_secrets (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint,
  endpoint_id bigint      REFERENCES endpoints ON DELETE CASCADE,
  sealed      bytea       NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  retired_at  timestamptz,
  CONSTRAINT signing_secrets_one_owner CHECK (num_nonnulls(seller_id, endpoint_id) = 1)
);
CREATE UNIQUE INDEX signing_secrets_one_current ON signing_secrets (seller_id, endpoint_id) NULLS NOT DISTINCT
  WHERE retired_at IS NULL;
CREATE INDEX signing_secrets_of_seller ON signing_secrets (seller_id, retired_at) WHERE seller_id IS NOT NULL;
CREATE INDEX signing_secrets_of_endpoint ON signing_secrets (endpoint_id, retired_at) WHERE endpoint_id IS NOT NULL;

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
  -- How many attempts were made when the seller asked for it again: the schedule counts from there.
  resent_after    integer     NOT NULL DEFAULT 0,
  last_status     integer,
  last_error      text,
  -- NULL: ended, or waiting for its turn in the lane.
  next_attempt_at timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  lane            uuid        NOT NULL GENERATED ALWAYS AS
    (md5(coalesce(endpoint_id::text, url) || ' ' || resource_kind || ' ' || resource_id)::uuid) STORED,
  CONSTRAINT deliveries_once UNIQUE NULLS NOT DISTINCT (webhook_id, endpoint_id),
  CONSTRAINT deliveries_status CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
  CONSTRAINT deliveries_ended_has_no_next CHECK (status = 'PENDING' OR next_attempt_at IS NULL)
);
CREATE INDEX deliveries_waiting ON deliveries (lane, sequence, id) WHERE status = 'PENDING';
CREATE INDEX deliveries_ended ON deliveries (created_at) WHERE status <> 'PENDING';
CREATE INDEX deliveries_missed ON deliveries (endpoint_id, created_at, id)
  WHERE status = 'FAILED' AND endpoint_id IS NOT NULL;
CREATE INDEX deliveries_failed_in_lane ON deliveries (lane) WHERE status = 'FAILED';
-- The lists of all, of one status, one type, one endpoint or one resource read their page and their count from these.
CREATE INDEX deliveries_of_seller ON deliveries (seller_id, id DESC);
CREATE INDEX deliveries_status ON deliveries (seller_id, status, id);
CREATE INDEX deliveries_type ON deliveries (seller_id, event_type, id);
CREATE INDEX deliveries_endpoint ON deliveries (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX deliveries_resource ON deliveries (seller_id, resource_id, id);

-- The attempts to send a delivery. Kept 30 days.
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

-- The queue. A lane is a receiver and a resource with something still to be sent; only its oldest pending delivery may
-- be attempted, so a resource's events arrive in order and no resource waits for another.
CREATE TABLE lanes (
  id          uuid        PRIMARY KEY,
  receiver_id bigint      NOT NULL,
  -- Whether its head failed before: first attempts go first.
  retried     boolean     NOT NULL DEFAULT false,
  -- When the next attempt may be made. While one runs: when it counts as lost and another may be made.
  due_at      timestamptz NOT NULL DEFAULT now(),
  -- Held by the attempt that runs; only its holder may write the outcome.
  lease       uuid
);
CREATE INDEX lanes_of_receiver ON lanes (receiver_id, retried, due_at, id);

-- Programs that fetch a seller's events instead of being called. Each has a secret of its own, and numbers its events.
CREATE TABLE listeners (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_id   bigint      NOT NULL,
  -- As those of endpoints. Empty: all.
  events      text[]      NOT NULL,
  -- The secret, sealed under SECRET_KEY_FILE. NULL only in the transaction that makes it: the id is needed to seal it.
  sealed      bytea,
  last_number bigint      NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now(),
  -- When it was last asked for events; it is forgotten a day later.
  read_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX listeners_of_seller ON listeners (seller_id, id);

-- Events kept for a listener: its newest 10,000, for a day.
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
