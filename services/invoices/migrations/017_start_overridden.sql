-- Whether the seller asked that a start in the past holds as given.
ALTER TABLE recurring_invoices ADD COLUMN start_overridden boolean NOT NULL DEFAULT false;
-- A start before the day of the creation was asked for so.
UPDATE recurring_invoices SET start_overridden = true
WHERE anchor_day < (created_at AT TIME ZONE 'America/Sao_Paulo')::date;
