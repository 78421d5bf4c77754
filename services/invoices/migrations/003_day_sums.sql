-- What movements add to the sums of their seller's days, by kind, on the day when the money moved. `fee`: what payers bore for
-- their cards; what went back to them is taken off.
CREATE FUNCTION sum_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT NEW.seller_id, (NEW.at AT TIME ZONE 'America/Sao_Paulo')::date, name, 1, amount FROM (VALUES
    (lower(NEW.kind::text), NEW.amount),
    ('fee', CASE WHEN NEW.kind IN ('PAYMENT', 'DISPUTE_WON') THEN NEW.fee ELSE -NEW.fee END)
  ) AS change (name, amount) WHERE amount <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER movements_summed AFTER INSERT ON movements FOR EACH ROW EXECUTE FUNCTION sum_movement();

INSERT INTO day_sums (seller_id, day, name, count, amount)
SELECT seller_id, (at AT TIME ZONE 'America/Sao_Paulo')::date, name, count(*), sum(each.amount) FROM movements,
  LATERAL (VALUES
    (lower(kind::text), amount),
    ('fee', CASE WHEN kind IN ('PAYMENT', 'DISPUTE_WON') THEN fee ELSE -fee END)
  ) AS each (name, amount) WHERE each.amount <> 0 GROUP BY 1, 2, 3;
