-- By which letters name the seller. Invoices of a recurring invoice have its name.
ALTER TABLE invoices ADD COLUMN seller_name text;
