-- Made from the table of services by deploy/src; not edited.
\set ON_ERROR_STOP 1
\getenv password DATABASE_PASSWORD
CREATE ROLE vault LOGIN PASSWORD :'password';
CREATE DATABASE vault OWNER vault;
REVOKE CONNECT ON DATABASE vault FROM PUBLIC;
CREATE ROLE network_token LOGIN PASSWORD :'password';
CREATE DATABASE network_token OWNER network_token;
REVOKE CONNECT ON DATABASE network_token FROM PUBLIC;
CREATE ROLE orders LOGIN PASSWORD :'password';
CREATE DATABASE orders OWNER orders;
REVOKE CONNECT ON DATABASE orders FROM PUBLIC;
CREATE ROLE notifier LOGIN PASSWORD :'password';
CREATE DATABASE notifier OWNER notifier;
REVOKE CONNECT ON DATABASE notifier FROM PUBLIC;
CREATE ROLE gateway LOGIN PASSWORD :'password';
CREATE DATABASE gateway OWNER gateway;
REVOKE CONNECT ON DATABASE gateway FROM PUBLIC;
