-- The lists of a seller's tokens. A token is its own id, by the name that every list uses. A migration that adds a column
-- makes the view anew.
CREATE VIEW listed_network_tokens AS SELECT *, token AS id FROM network_tokens;
CREATE INDEX network_tokens_list ON network_tokens (seller_id, created_at, token);
CREATE INDEX network_tokens_list_status ON network_tokens (seller_id, status, created_at, token);
CREATE INDEX network_tokens_list_last_four ON network_tokens (seller_id, last_four, created_at, token);
