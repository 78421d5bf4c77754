-- A network token has two numbers, each in a row of its own: the card's, kept to try a payment with it once more, and the
-- network's. Their tokens are derived, so that neither can be named as a stored card.
ALTER TABLE cards
  ADD COLUMN kind text NOT NULL DEFAULT 'card'
    CONSTRAINT cards_kind CHECK (kind IN ('card', 'token_card', 'token_number')),
  -- A card taken for a token that was then not asked for is destroyed at this time.
  ADD COLUMN kept_until timestamptz
    CONSTRAINT cards_kept_until CHECK (kept_until IS NULL OR kind = 'token_card');
CREATE INDEX cards_kept_until ON cards (kept_until) WHERE kept_until IS NOT NULL;
