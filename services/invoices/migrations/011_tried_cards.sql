-- Cards that were declined since the schedule last came round: each other card is tried before them.
ALTER TABLE automatic_charges ADD COLUMN tried_cards bigint[] NOT NULL DEFAULT '{}';
