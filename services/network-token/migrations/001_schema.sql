-- The words of the contract's enums: one spelling from the database to the API.
CREATE TYPE network_token_status AS ENUM ('PENDING', 'ACTIVE', 'SUSPENDED', 'FAILED', 'INACTIVE');
CREATE TYPE network_token_reason AS ENUM ('CARD_NOT_ELIGIBLE', 'ISSUER_DECLINED', 'CARD_EXPIRED',
  'NETWORK_UNAVAILABLE', 'ACQUIRER_REJECTED', 'TIMEOUT');
CREATE TYPE network_token_cleanup AS ENUM ('NETWORK', 'NUMBERS');

-- Tokens that the card networks issue in place of cards. No number is here: the card's and the network's are in the
-- vault, under the token.
CREATE TABLE network_tokens (
  token             text        PRIMARY KEY,
  seller_id         bigint      NOT NULL,
  -- The account at the acquirer in whose name it was asked for.
  merchant_id       text        NOT NULL,
  -- Ours, given to the token service with the request: the key by which an unanswered request is found.
  reference         uuid        NOT NULL CONSTRAINT network_tokens_reference UNIQUE,
  -- What the token service calls it; NULL until it is known.
  partner_id        text,
  status            network_token_status NOT NULL,
  reason            network_token_reason,
  -- The stored card that it was asked for with: whoever charges that card finds the token. NULL: the card came with the
  -- request.
  card_token        text,
  bin               text        NOT NULL,
  last_four         text        NOT NULL,
  brand             text        NOT NULL,
  -- As it was sent, whatever the network does later.
  expiration_year   smallint    NOT NULL,
  expiration_month  smallint    NOT NULL,
  holder_name       text        NOT NULL,
  -- Whether the card that the vault keeps is the one behind the token today.
  card_is_current   boolean     NOT NULL,
  notification_url  text        NOT NULL,
  -- Until when the request may leave; NULL = it has not left.
  dispatch_deadline timestamptz,
  -- What is left to do for a token that has ended: close it at the network, then destroy its numbers.
  cleanup           network_token_cleanup,
  -- When a sweeper looks at it, and how often it has looked since the last change.
  ask_at            timestamptz,
  asks              int         NOT NULL DEFAULT 0,
  -- Counts the changes: who saves names the version that it read.
  version           int         NOT NULL,
  -- Counts the events sent.
  sequence          int         NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  CONSTRAINT network_tokens_whole CHECK (
    token ~ '^[0-9a-f]{64}$' AND brand IN ('VISA', 'MASTERCARD') AND expiration_month BETWEEN 1 AND 12
    AND (status = 'FAILED') = (reason IS NOT NULL)
    AND (status NOT IN ('ACTIVE', 'SUSPENDED') OR partner_id IS NOT NULL)
    -- What is not over is looked at; what is over is, until nothing is left to do.
    AND (cleanup IS NULL OR status IN ('FAILED', 'INACTIVE'))
    AND (ask_at IS NULL) = (status IN ('FAILED', 'INACTIVE') AND cleanup IS NULL))
);
CREATE INDEX network_tokens_to_ask ON network_tokens (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX network_tokens_card ON network_tokens (seller_id, card_token) WHERE card_token IS NOT NULL;
-- Requests that the issuer refused, by seller and BIN: many within a minute are card testing.
CREATE INDEX network_tokens_declined ON network_tokens (seller_id, bin, updated_at)
  WHERE reason = 'ISSUER_DECLINED';
