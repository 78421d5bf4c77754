-- Since when the seller of a slip has no account at the bank in the vault, so that nobody can ask about it; NULL: it has one.
ALTER TABLE boletos ADD COLUMN account_gone_at timestamptz;
CREATE INDEX boletos_without_account ON boletos (account_gone_at) WHERE account_gone_at IS NOT NULL AND ask_at IS NOT NULL;
