ALTER TYPE email_kind ADD VALUE 'REFUNDED';
ALTER TYPE email_kind ADD VALUE 'VOIDED';
ALTER TYPE email_kind ADD VALUE 'BOOKLET';
-- What a letter tells beyond its invoice: a JSON object. NULL: nothing.
ALTER TABLE emails ADD COLUMN facts json;
