-- What movements add to the sums of their seller's days, by kind, and by kind and method (`payment BOLETO`), on the day when the
-- money moved. `fee`: what payers bore for their cards; what went back to them is taken off.
CREATE OR REPLACE FUNCTION sum_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT NEW.seller_id, (NEW.at AT TIME ZONE 'America/Sao_Paulo')::date, name, 1, amount FROM (VALUES
    (lower(NEW.kind::text), NEW.amount),
    (CASE WHEN NEW.kind IN ('PAYMENT', 'REFUND', 'RETURN') THEN lower(NEW.kind::text) || ' ' || NEW.method::text END, NEW.amount),
    ('fee', CASE WHEN NEW.kind IN ('PAYMENT', 'DISPUTE_WON') THEN NEW.fee ELSE -NEW.fee END)
  ) AS change (name, amount) WHERE amount <> 0 AND name IS NOT NULL;
  RETURN NULL;
END $$;

-- Nobody adds a movement between the sums of what came before and the new function.
LOCK TABLE movements IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO day_sums (seller_id, day, name, count, amount)
SELECT seller_id, (at AT TIME ZONE 'America/Sao_Paulo')::date, lower(kind::text) || ' ' || method::text, count(*), sum(amount)
FROM movements WHERE kind IN ('PAYMENT', 'REFUND', 'RETURN') GROUP BY 1, 2, 3;
