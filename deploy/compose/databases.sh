#!/bin/sh
# A database and a role for each service, and the event log's: run by the image of PostgreSQL at its very first start.
set -eu
for name in gateway vault orders notifier network_token; do
  psql --quiet --set ON_ERROR_STOP=1 --username postgres --set name="$name" --set password="$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE CONNECT ON DATABASE :"name" FROM PUBLIC;
SQL
done
