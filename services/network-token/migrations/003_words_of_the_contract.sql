-- The words of the contract's enum: one spelling from the database to the API. A type's value is renamed in place: no
-- row, index or CHECK is written again.
ALTER TYPE network_token_status RENAME VALUE 'pending' TO 'PENDING';
ALTER TYPE network_token_status RENAME VALUE 'active' TO 'ACTIVE';
ALTER TYPE network_token_status RENAME VALUE 'suspended' TO 'SUSPENDED';
ALTER TYPE network_token_status RENAME VALUE 'failed' TO 'FAILED';
ALTER TYPE network_token_status RENAME VALUE 'inactive' TO 'INACTIVE';
ALTER TYPE network_token_cleanup RENAME VALUE 'network' TO 'NETWORK';
ALTER TYPE network_token_cleanup RENAME VALUE 'numbers' TO 'NUMBERS';
