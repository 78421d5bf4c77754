-- The list of one status reads its page and its count from this index, whichever status it is.
DROP INDEX deliveries_not_delivered;
CREATE INDEX deliveries_status ON deliveries (seller_id, status, id);
