-- What the next page of this browser says once: that something was done, or a new API token. Sealed under a key that
-- only the browser's cookie gives, so that a copy of the table shows nothing.
ALTER TABLE portal_sessions ADD COLUMN flash bytea;
