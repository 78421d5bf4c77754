-- Why an attempt to pay failed that no issuer declined; NULL: it was declined, has not failed, or is of an older version.
ALTER TABLE invoice_transactions ADD COLUMN failure text;
