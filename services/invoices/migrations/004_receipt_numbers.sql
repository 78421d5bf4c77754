-- Receipts by what the bank calls them, and by what it calls their ask: a bookkeeper looks for what stands in a statement.
CREATE INDEX receipts_bank_id ON receipts (seller_id, bank_id);
CREATE INDEX receipts_numbers ON receipts (seller_id, ask_number);
-- Unexpected receipts of an invoice, newest first.
CREATE INDEX receipts_of_invoice ON receipts (seller_id, invoice_id, created_at, id) WHERE is_unexpected;
