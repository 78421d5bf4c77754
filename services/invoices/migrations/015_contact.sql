-- Whom the payers of a seller ask: a JSON object of email and phone, each a text or null. NULL: nobody is named.
ALTER TABLE billing_settings ADD COLUMN contact json;
