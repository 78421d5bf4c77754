-- The lists of one type, one endpoint or one resource read their page and their count from these.
CREATE INDEX deliveries_type ON deliveries (seller_id, event_type, id);
CREATE INDEX deliveries_resource ON deliveries (seller_id, resource_id, id);
CREATE INDEX deliveries_endpoint ON deliveries (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
DROP INDEX deliveries_of_endpoint;
