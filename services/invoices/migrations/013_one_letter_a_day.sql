ALTER TYPE email_kind ADD VALUE 'RETRY_PLANNED';
-- The day on which a letter asks for payment, of those that do: one a day of an invoice, and those sent by hand.
ALTER TABLE emails ADD COLUMN asked_on date;
-- When a letter that waits for another day leaves, by the billing clock; ask_at is infinite until then.
ALTER TABLE emails ADD COLUMN held_until timestamptz;
CREATE UNIQUE INDEX emails_asked_once ON emails (invoice_id, asked_on)
  WHERE asked_on IS NOT NULL AND cause NOT LIKE 'asked:%';
CREATE INDEX emails_held ON emails (held_until, id) WHERE held_until IS NOT NULL;
