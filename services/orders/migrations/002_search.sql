-- What a person has in hand who looks for a charge: its card, its amount, a receipt. The newest charges of a card come first.
CREATE INDEX charges_amount ON charges (seller_id, amount, created_at, id);
CREATE INDEX payments_last_four ON payments (seller_id, last_four, charge_id) WHERE last_four IS NOT NULL;
CREATE INDEX payments_authorization_code ON payments (seller_id, authorization_code, charge_id)
  WHERE authorization_code <> '';
CREATE INDEX payments_end_to_end_id ON payments (seller_id, acquirer_payment_id)
  WHERE pix_account IS NOT NULL AND acquirer_payment_id <> '';
