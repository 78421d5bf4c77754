-- The words of the contract's enums: one spelling from the database to the API. A type's value is renamed in place: no
-- row, index or CHECK is written again.
ALTER TYPE charge_status RENAME VALUE 'pending' TO 'PENDING';
ALTER TYPE charge_status RENAME VALUE 'authorized' TO 'AUTHORIZED';
ALTER TYPE charge_status RENAME VALUE 'denied' TO 'DENIED';
ALTER TYPE charge_status RENAME VALUE 'failed' TO 'FAILED';
ALTER TYPE charge_status RENAME VALUE 'partially_captured' TO 'PARTIALLY_CAPTURED';
ALTER TYPE charge_status RENAME VALUE 'captured' TO 'CAPTURED';
ALTER TYPE charge_status RENAME VALUE 'voided' TO 'VOIDED';
ALTER TYPE charge_status RENAME VALUE 'expired' TO 'EXPIRED';
ALTER TYPE charge_status RENAME VALUE 'partially_refunded' TO 'PARTIALLY_REFUNDED';
ALTER TYPE charge_status RENAME VALUE 'refunded' TO 'REFUNDED';
ALTER TYPE card_source RENAME VALUE 'card' TO 'CARD';
ALTER TYPE card_source RENAME VALUE 'card_token' TO 'CARD_TOKEN';
ALTER TYPE card_source RENAME VALUE 'network_token' TO 'NETWORK_TOKEN';
ALTER TYPE transaction_type RENAME VALUE 'authorization' TO 'AUTHORIZATION';
ALTER TYPE transaction_type RENAME VALUE 'capture' TO 'CAPTURE';
ALTER TYPE transaction_type RENAME VALUE 'refund' TO 'REFUND';
ALTER TYPE transaction_type RENAME VALUE 'void' TO 'VOID';
ALTER TYPE transaction_status RENAME VALUE 'pending' TO 'PENDING';
ALTER TYPE transaction_status RENAME VALUE 'succeeded' TO 'SUCCEEDED';
ALTER TYPE transaction_status RENAME VALUE 'failed' TO 'FAILED';
ALTER TYPE transaction_cause RENAME VALUE 'request' TO 'REQUEST';
ALTER TYPE transaction_cause RENAME VALUE 'release' TO 'RELEASE';
ALTER TYPE transaction_cause RENAME VALUE 'expiry' TO 'EXPIRY';
-- An attempt is kept in JSON, with the source of its card in it.
UPDATE transactions SET attempt = jsonb_set(attempt::jsonb, '{source}', to_jsonb(upper(attempt ->> 'source')))::json
WHERE attempt IS NOT NULL;
