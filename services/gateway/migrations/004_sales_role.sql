-- A person may sell without giving money back. Rows of before have roles that both rules allow.
ALTER TABLE portal_users DROP CONSTRAINT portal_users_role,
  ADD CONSTRAINT portal_users_role CHECK (role IN ('OWNER', 'OPERATOR', 'SALES', 'SUPPORT', 'BOOKKEEPER', 'READ_ONLY')) NOT VALID;
