CREATE TYPE voucher_redirect_phase AS ENUM ('SENT', 'CODE', 'CARD');

-- Of tokens by redirect. The authorization code, access and refresh token are in the vault, under the token.
ALTER TABLE voucher_tokens
  -- Why it is not ACTIVE.
  ADD COLUMN reason            text,
  ADD COLUMN notification_url  text,
  ADD COLUMN card_reference    text,
  -- The seller's client at the identity provider.
  ADD COLUMN client_id         text,
  -- What is next while it is PENDING: the holder comes back, the code is exchanged, the card is read.
  ADD COLUMN phase             voucher_redirect_phase,
  -- SHA-256 of the code, by which a reloaded page is known.
  ADD COLUMN code_hash         text,
  -- The PKCE verifier of a code that is being exchanged: to use the code up where that was cut off. Of no use without it.
  ADD COLUMN code_verifier     text,
  -- Until when the holder may come back, or the card be read.
  ADD COLUMN expires_at        timestamptz,
  -- What the issuer calls the card.
  ADD COLUMN issuer_card_id    text,
  ADD COLUMN access_expires_at timestamptz,
  -- One process at a time renews the access token.
  ADD COLUMN renewing_until    timestamptz,
  ADD COLUMN version           int NOT NULL DEFAULT 1,
  ADD COLUMN ask_at            timestamptz,
  ADD COLUMN asks              int NOT NULL DEFAULT 0,
  ADD CONSTRAINT voucher_tokens_redirect CHECK (
    (status = 'PENDING') = (phase IS NOT NULL) AND (phase IS NULL) = (ask_at IS NULL)
    AND (phase IS NULL OR client_id IS NOT NULL AND notification_url IS NOT NULL AND expires_at IS NOT NULL)
    AND (status NOT IN ('DENIED', 'EXPIRED', 'FAILED') OR reason IS NOT NULL));
CREATE INDEX voucher_tokens_to_ask ON voucher_tokens (ask_at) WHERE ask_at IS NOT NULL;

-- What a discarded token may have left at an identity provider is taken back there first.
ALTER TABLE discarded_vouchers ADD COLUMN brand text, ADD COLUMN client_id text, ADD COLUMN code_verifier text;
