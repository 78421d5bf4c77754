-- What payments add to the sums of their seller's days, by brand: `paid VR` on the day when it was paid, `canceled VR` on the day
-- when the money went back.
CREATE FUNCTION sum_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT NEW.seller_id, (at AT TIME ZONE 'America/Sao_Paulo')::date, name || ' ' || NEW.brand, 1, NEW.amount FROM (VALUES
    ('paid', OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL, NEW.paid_at),
    ('canceled', NEW.status = 'CANCELED' AND OLD.status <> 'CANCELED', NEW.updated_at)) AS change (name, is_so, at) WHERE is_so;
  RETURN NULL;
END $$;
-- A payment is added before its issuer is asked.
CREATE TRIGGER payments_summed AFTER UPDATE ON payments FOR EACH ROW
  WHEN (NEW.status IN ('PAID', 'CANCELED') AND NEW.status <> OLD.status) EXECUTE FUNCTION sum_payment();

-- What came before. The day of the last change stands for that of the cancellation.
INSERT INTO day_sums (seller_id, day, name, count, amount)
SELECT seller_id, (each.at AT TIME ZONE 'America/Sao_Paulo')::date, each.name || ' ' || brand, count(*), sum(amount) FROM payments,
  LATERAL (VALUES ('paid', paid_at), ('canceled', CASE WHEN status = 'CANCELED' THEN updated_at END)) AS each (name, at)
WHERE each.at IS NOT NULL GROUP BY 1, 2, 3;
