-- What letters of a recurring invoice need: its customer's language, and the seller as the customer knows it.
ALTER TABLE recurring_invoices
  ADD COLUMN language    text NOT NULL DEFAULT 'pt-BR' CONSTRAINT recurring_invoices_language CHECK (language IN ('pt-BR', 'en')),
  -- NULL: letters name no seller.
  ADD COLUMN seller_name text;
