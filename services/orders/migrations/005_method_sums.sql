-- What pays a charge adds to the sums of its seller's days, by card brand or PIX: `captured VISA` and `refunded VISA`, on the day
-- when the money moved. As before, the invoices service sums the money of its own charges.
CREATE FUNCTION sum_method() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT NEW.seller_id, (c.updated_at AT TIME ZONE 'America/Sao_Paulo')::date, name || ' ' || coalesce(NEW.brand, 'PIX'), sign(moved), moved
  FROM charges c, LATERAL (VALUES
    ('captured', NEW.captured_amount - coalesce(OLD.captured_amount, 0)),
    ('refunded', NEW.refunded_amount - coalesce(OLD.refunded_amount, 0))) AS change (name, moved)
  WHERE c.id = NEW.charge_id AND c.request_id IS NOT NULL AND moved <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER methods_summed_new AFTER INSERT ON payments FOR EACH ROW
  WHEN (NEW.captured_amount > 0) EXECUTE FUNCTION sum_method();
CREATE TRIGGER methods_summed AFTER UPDATE ON payments FOR EACH ROW
  WHEN ((NEW.captured_amount, NEW.refunded_amount) IS DISTINCT FROM (OLD.captured_amount, OLD.refunded_amount))
  EXECUTE FUNCTION sum_method();

-- What card holders took back through their banks, `dispute`, and what came back of it, `dispute_won`, on the day when it was learned.
-- A dispute of an invoice's charge is a movement of the invoices service.
CREATE FUNCTION sum_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved bigint := NEW.withdrawn_amount - coalesce(OLD.withdrawn_amount, 0);
BEGIN
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT NEW.seller_id, (NEW.updated_at AT TIME ZONE 'America/Sao_Paulo')::date,
    CASE WHEN moved > 0 THEN 'dispute' ELSE 'dispute_won' END, 1, abs(moved)
  WHERE NOT EXISTS (SELECT FROM charges c WHERE c.id = NEW.charge_id AND c.request_id IS NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER disputes_summed_new AFTER INSERT ON disputes FOR EACH ROW
  WHEN (NEW.withdrawn_amount > 0) EXECUTE FUNCTION sum_dispute();
CREATE TRIGGER disputes_summed AFTER UPDATE ON disputes FOR EACH ROW
  WHEN (NEW.withdrawn_amount IS DISTINCT FROM OLD.withdrawn_amount) EXECUTE FUNCTION sum_dispute();

-- What came before. The day of the last change stands for that of each movement, and a dispute that was won left no trace.
INSERT INTO day_sums (seller_id, day, name, count, amount)
SELECT c.seller_id, (c.updated_at AT TIME ZONE 'America/Sao_Paulo')::date, each.name || ' ' || coalesce(p.brand, 'PIX'), count(*), sum(each.amount)
FROM charges c JOIN payments p ON p.charge_id = c.id,
  LATERAL (VALUES ('captured', p.captured_amount), ('refunded', p.refunded_amount)) AS each (name, amount)
WHERE c.request_id IS NOT NULL AND each.amount > 0 GROUP BY 1, 2, 3;
INSERT INTO day_sums (seller_id, day, name, count, amount)
SELECT d.seller_id, (d.updated_at AT TIME ZONE 'America/Sao_Paulo')::date, 'dispute', count(*), sum(d.withdrawn_amount)
FROM disputes d LEFT JOIN charges c ON c.id = d.charge_id
WHERE d.withdrawn_amount > 0 AND (c.id IS NULL OR c.request_id IS NOT NULL) GROUP BY 1, 2;
