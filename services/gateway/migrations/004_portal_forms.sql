-- The last form that this browser sent, as a hash of its fields: sent again by a double click, it does nothing.
ALTER TABLE portal_sessions ADD COLUMN last_form bytea;
