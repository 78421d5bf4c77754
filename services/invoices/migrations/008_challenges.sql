CREATE TYPE challenge_status AS ENUM ('STORING', 'PENDING', 'AUTHENTICATED', 'CHARGED', 'REFUSED', 'EXPIRED');

-- Payers whom the issuers of their cards ask to authenticate (3-D Secure). What an authentication proved is not here.
CREATE TABLE challenges (
  id                bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Names it in the address to which the payer's browser returns; nobody can guess it.
  public_id         text             NOT NULL,
  seller_id         bigint           NOT NULL,
  invoice_id        bigint           NOT NULL REFERENCES invoices,
  -- The 3-D Secure server's.
  authentication_id text             NOT NULL,
  status            challenge_status NOT NULL,
  -- The card that pays: one of the vault's, or a network token. NULL: it is being stored.
  card_id           bigint,
  network_token     text,
  -- The vault was asked to store it for this challenge.
  card_is_ours      boolean          NOT NULL,
  keep_card         boolean          NOT NULL,
  installments      smallint         NOT NULL,
  -- Cents: what the payer was asked to agree to.
  amount            bigint           NOT NULL,
  expires_at        timestamptz      NOT NULL,
  -- When a sweeper looks at it; NULL: it is over.
  asks              int              NOT NULL DEFAULT 0,
  ask_at            timestamptz,
  created_at        timestamptz      NOT NULL,
  updated_at        timestamptz      NOT NULL,
  CONSTRAINT challenges_public_id UNIQUE (public_id),
  CONSTRAINT challenges_whole CHECK (
    amount BETWEEN 1 AND 99999999999 AND installments BETWEEN 1 AND 12 AND asks >= 0
    AND (status IN ('STORING', 'EXPIRED') OR (card_id IS NULL) <> (network_token IS NULL))
    AND (status IN ('STORING', 'PENDING', 'AUTHENTICATED')) = (ask_at IS NOT NULL))
);
CREATE INDEX challenges_due ON challenges (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX challenges_over ON challenges (updated_at) WHERE ask_at IS NULL;
