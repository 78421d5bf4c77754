-- What happened, for people to look up: written once, kept 30 days. Empty where MONGODB_URL is set.
CREATE TABLE history (
  -- Made by whoever writes the entry: written again, it is the same one.
  id        text        PRIMARY KEY,
  at        timestamptz NOT NULL,
  -- 0: nobody's.
  seller_id bigint      NOT NULL,
  -- What it is about: a request id, a delivery.
  subject   text        NOT NULL,
  -- What it is filtered by.
  facts     jsonb       NOT NULL,
  -- The rest, JSON.
  detail    text        NOT NULL
);
CREATE INDEX history_of_seller ON history (seller_id, at DESC, id DESC);
CREATE INDEX history_subject ON history (subject);
CREATE INDEX history_at ON history (at);
