-- Requests that the issuer refused, by seller and BIN: many within a minute are card testing.
CREATE INDEX network_tokens_declined ON network_tokens (seller_id, bin, updated_at)
  WHERE reason = 'ISSUER_DECLINED';
