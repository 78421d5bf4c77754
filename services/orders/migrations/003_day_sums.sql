-- What charges add to the sums of their seller's days: `approved` by card and `approved_pix` and `denied` on the day of the
-- charge; `captured` and `refunded` on the day when the money moved. The invoices service sums the money of its own charges,
-- which no request of a seller made. A verification of a card moves nothing and is no sale.
CREATE FUNCTION sum_charge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  made     date := (NEW.created_at AT TIME ZONE 'America/Sao_Paulo')::date;
  moved    date := (NEW.updated_at AT TIME ZONE 'America/Sao_Paulo')::date;
  approved bigint := NEW.authorized_amount - coalesce(OLD.authorized_amount, 0);
  denied   int := (NEW.status = 'DENIED')::int - coalesce((OLD.status = 'DENIED')::int, 0);
  captured bigint := NEW.captured_amount - coalesce(OLD.captured_amount, 0);
  refunded bigint := NEW.refunded_amount - coalesce(OLD.refunded_amount, 0);
BEGIN
  -- Each statement alone: most changes add one row.
  IF approved <> 0 THEN
    INSERT INTO day_changes (seller_id, day, name, count, amount) VALUES (NEW.seller_id, made,
      CASE WHEN NEW.establishment_id IS NULL THEN 'approved_pix' ELSE 'approved' END, sign(approved), approved);
  END IF;
  IF denied <> 0 THEN
    INSERT INTO day_changes (seller_id, day, name, count, amount) VALUES (NEW.seller_id, made, 'denied', denied, denied * NEW.amount);
  END IF;
  IF captured <> 0 AND NEW.request_id IS NOT NULL THEN
    INSERT INTO day_changes (seller_id, day, name, count, amount) VALUES (NEW.seller_id, moved, 'captured', sign(captured), captured);
  END IF;
  IF refunded <> 0 AND NEW.request_id IS NOT NULL THEN
    INSERT INTO day_changes (seller_id, day, name, count, amount) VALUES (NEW.seller_id, moved, 'refunded', sign(refunded), refunded);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER charges_summed_new AFTER INSERT ON charges FOR EACH ROW
  WHEN (NEW.status <> 'PENDING' AND NEW.amount > 0) EXECUTE FUNCTION sum_charge();
CREATE TRIGGER charges_summed AFTER UPDATE ON charges FOR EACH ROW
  WHEN (NEW.amount > 0 AND (NEW.authorized_amount, NEW.captured_amount, NEW.refunded_amount, NEW.status = 'DENIED')
    IS DISTINCT FROM (OLD.authorized_amount, OLD.captured_amount, OLD.refunded_amount, OLD.status = 'DENIED'))
  EXECUTE FUNCTION sum_charge();

-- Why cards were declined, by our code, on the day of the decline.
CREATE FUNCTION sum_decline() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT NEW.seller_id, (at AT TIME ZONE 'America/Sao_Paulo')::date, 'declined ' || code, count, count * NEW.amount FROM (VALUES
    (NEW.denied_at, NEW.decline_code, 1), (OLD.denied_at, OLD.decline_code, -1)) AS change (at, code, count)
  WHERE code IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_summed_new AFTER INSERT ON payments FOR EACH ROW
  WHEN (NEW.decline_code IS NOT NULL AND NEW.amount > 0) EXECUTE FUNCTION sum_decline();
CREATE TRIGGER payments_summed AFTER UPDATE ON payments FOR EACH ROW
  WHEN (NEW.amount > 0 AND NEW.decline_code IS DISTINCT FROM OLD.decline_code) EXECUTE FUNCTION sum_decline();

-- What came before. The day of the last change stands for that of each movement.
INSERT INTO day_sums (seller_id, day, name, count, amount)
SELECT seller_id, (at AT TIME ZONE 'America/Sao_Paulo')::date, name, count(*), sum(each.amount) FROM charges,
  LATERAL (VALUES
    (created_at, CASE WHEN establishment_id IS NULL THEN 'approved_pix' ELSE 'approved' END, authorized_amount),
    (created_at, 'denied', CASE WHEN status = 'DENIED' THEN amount ELSE 0 END),
    (updated_at, 'captured', CASE WHEN request_id IS NULL THEN 0 ELSE captured_amount END),
    (updated_at, 'refunded', CASE WHEN request_id IS NULL THEN 0 ELSE refunded_amount END)
  ) AS each (at, name, amount) WHERE each.amount > 0 GROUP BY 1, 2, 3;
INSERT INTO day_sums (seller_id, day, name, count, amount)
SELECT seller_id, (denied_at AT TIME ZONE 'America/Sao_Paulo')::date, 'declined ' || decline_code, count(*), sum(amount)
FROM payments WHERE decline_code IS NOT NULL AND amount > 0 GROUP BY 1, 2, 3;
