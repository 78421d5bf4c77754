-- What the acquirer made of the payer's authentication; NULL: none was sent, or it is not known yet.
ALTER TABLE invoice_transactions ADD COLUMN authentication json;
