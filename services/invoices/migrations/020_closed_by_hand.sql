-- Who of the platform team saw to money of no seller; NULL: a seller saw to its own, or nobody has.
ALTER TABLE receipts ADD COLUMN resolved_by text;

-- Of money that is given back: how often the acquirer refused to, with the code of the last time; and what the platform
-- team noted where it went back otherwise. An older version tries again each minute, and writes none of them.
ALTER TABLE invoice_transactions ADD COLUMN return_refusals int NOT NULL DEFAULT 0;
ALTER TABLE invoice_transactions ADD COLUMN return_refusal_code text;
ALTER TABLE invoice_transactions ADD COLUMN closed_by_hand json;
-- Refused for good: it waits for a person.
CREATE INDEX invoice_transactions_refused ON invoice_transactions (created_at, id)
  WHERE status = 'PENDING' AND give_back AND ask_at IS NULL;
