-- What a payer read and agreed to when a card was to be kept: a JSON object of language, text, address and givenAt. NULL: nobody was asked here.
ALTER TABLE invoice_transactions ADD COLUMN keep_consent json;
ALTER TABLE challenges ADD COLUMN keep_consent json;
-- That of the kept card.
ALTER TABLE customers ADD COLUMN kept_card_consent json;
