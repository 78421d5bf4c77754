-- When what is known of a payment is next compared with what orders, or the bank, holds of it; NULL: not any more. What
-- is there already is compared once; what comes, an hour later first, also where an older version writes it.
ALTER TABLE invoice_transactions ADD COLUMN compare_at timestamptz DEFAULT now();
ALTER TABLE invoice_transactions ALTER COLUMN compare_at SET DEFAULT now() + interval '1 hour';
CREATE INDEX invoice_transactions_compared ON invoice_transactions (compare_at) WHERE compare_at IS NOT NULL;

ALTER TABLE boletos ADD COLUMN compare_at timestamptz DEFAULT now();
ALTER TABLE boletos ALTER COLUMN compare_at SET DEFAULT now() + interval '1 hour';
CREATE INDEX boletos_compared ON boletos (compare_at) WHERE compare_at IS NOT NULL;
