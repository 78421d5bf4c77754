-- What was done to one thing: its page says who did it.
CREATE INDEX portal_audit_subject ON portal_audit (seller_id, subject, id);
