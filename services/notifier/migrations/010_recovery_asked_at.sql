ALTER TABLE recoveries
  -- When the seller asked, the last time: what was attempted since then is not sent once more.
  ADD asked_at timestamptz NOT NULL DEFAULT now();
