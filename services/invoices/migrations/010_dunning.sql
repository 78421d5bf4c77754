-- The stored card that an attempt to pay was made with: brands count declines by card.
ALTER TABLE invoice_transactions ADD COLUMN card_id bigint;
ALTER TABLE invoice_transactions ADD COLUMN card_brand text;
CREATE INDEX invoice_transactions_card ON invoice_transactions (seller_id, card_id, created_at) WHERE card_id IS NOT NULL;

ALTER TYPE email_kind ADD VALUE 'DECLINED';

ALTER TABLE automatic_charges
  -- The latest attempt.
  ADD COLUMN transaction_id bigint REFERENCES invoice_transactions,
  -- When the card was first to be charged: later tries are counted from that day.
  ADD COLUMN first_tried_at timestamptz,
  -- Attempts in a row that reached nobody.
  ADD COLUMN failures       int         NOT NULL DEFAULT 0,
  -- Cards that are not tried again for this invoice: ids of the vault's.
  ADD COLUMN refused_cards  bigint[]    NOT NULL DEFAULT '{}',
  -- With NEEDS_CARD: when the customer may have another card.
  ADD COLUMN look_at        timestamptz NOT NULL DEFAULT 'epoch',
  -- Until when one process alone sees to it, by the machine's clock.
  ADD COLUMN leased_until   timestamptz NOT NULL DEFAULT 'epoch',
  -- When somebody has to see to it; NULL: not by itself.
  ADD COLUMN due_at         timestamptz GENERATED ALWAYS AS (
    CASE status WHEN 'WAITING' THEN next_attempt_at WHEN 'NEEDS_CARD' THEN look_at END) STORED;
CREATE INDEX automatic_charges_to_see_to ON automatic_charges (due_at, invoice_id) WHERE due_at IS NOT NULL;
