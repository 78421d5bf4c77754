ALTER TABLE establishments
  -- Whether a payment declined because of its network token is tried once more with the card's own number.
  ADD COLUMN retry_with_card boolean NOT NULL DEFAULT false;
-- What an authorization was sent with, where the payment was then sent anew with something else.
ALTER TABLE transactions ADD COLUMN attempt json;
-- Safe while the old code runs: it makes one authorization a payment.
DROP INDEX transactions_one_authorization;
CREATE UNIQUE INDEX transactions_one_authorization ON transactions (charge_id, position)
  WHERE type = 'authorization' AND status <> 'failed';
