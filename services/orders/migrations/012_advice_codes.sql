-- Mastercard's merchant advice code of a decline, as the acquirer sent it: it says when a card may be tried again.
ALTER TABLE payments ADD COLUMN decline_advice_code text;
