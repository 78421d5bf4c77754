-- When a change named the card of a recurring invoice: a card that the customer kept before is not charged first. NULL: the
-- card was named when the recurring invoice was made, or none is.
ALTER TABLE recurring_invoices ADD COLUMN card_chosen_at timestamptz;
-- Whose card a stored one is: no other customer's is named.
CREATE INDEX customers_kept_card ON customers (seller_id, kept_card_id) WHERE kept_card_id IS NOT NULL;
CREATE INDEX recurring_invoices_card ON recurring_invoices (seller_id, card_id) WHERE card_id IS NOT NULL;
-- Automatic charges that a card which their customer keeps later tries once more.
CREATE INDEX automatic_charges_given_up ON automatic_charges (customer_id) WHERE status = 'GIVEN_UP';
