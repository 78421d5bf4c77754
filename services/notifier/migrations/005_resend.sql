-- How many attempts were made when the seller asked for it again: the schedule counts from there.
ALTER TABLE deliveries ADD COLUMN resent_after integer NOT NULL DEFAULT 0;
CREATE INDEX deliveries_of_seller ON deliveries (seller_id, id DESC);
CREATE INDEX deliveries_not_delivered ON deliveries (seller_id, id DESC) WHERE status <> 'DELIVERED';
