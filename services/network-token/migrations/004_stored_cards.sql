-- The stored card that a token was asked for with: whoever charges that card finds the token. NULL: it came with the request.
ALTER TABLE network_tokens ADD COLUMN card_token text;
CREATE INDEX network_tokens_card ON network_tokens (seller_id, card_token) WHERE card_token IS NOT NULL;
