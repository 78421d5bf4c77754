-- When what is known of a charge is compared with what the acquirer holds of it; NULL: not any more. What is there already
-- is compared once it changes. Safe while the old code runs: what it inserts is compared a day later.
ALTER TABLE charges ADD COLUMN compare_at timestamptz;
ALTER TABLE charges ALTER COLUMN compare_at SET DEFAULT now() + interval '1 day';
CREATE INDEX charges_compared ON charges (compare_at) WHERE compare_at IS NOT NULL;

-- One row: from when on the next few charges may be compared. All replicas take turns by it, so that together they ask
-- the acquirer no more than a setting allows.
CREATE TABLE comparison_turn (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  next_at timestamptz NOT NULL
);
INSERT INTO comparison_turn (next_at) VALUES (now());
