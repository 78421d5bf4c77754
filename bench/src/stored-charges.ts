import type { Client } from 'pg'

const BATCH_SIZE = 10_000
const DAYS = 30

/**
 * Copies one real charge, with its payments and transactions, `count` times over the last 30 days. Rows that the
 * service wrote satisfy every constraint. The copies share their references: a filter finds all of them.
 */
export async function copyCharge(
  orders: Client,
  chargeId: number,
  count: number,
  progress: (done: number) => void,
): Promise<void> {
  // These rows are consistent by construction, and nobody needs them after a crash.
  await orders.query('SET session_replication_role = replica')
  await orders.query('SET synchronous_commit = off')
  for (let done = 0; done < count; done += BATCH_SIZE) {
    const [from, to] = [done + 1, Math.min(done + BATCH_SIZE, count)]
    const values = [chargeId, from, to]
    await orders.query('BEGIN')
    await orders.query(COPY_CHARGES, [...values, count, DAYS])
    await orders.query(COPY_PAYMENTS, values)
    await orders.query(COPY_TRANSACTIONS, values)
    await orders.query('COMMIT')
    progress(to)
  }
  await orders.query(SUM_DAYS, [chargeId])
  await orders.query("SELECT setval(pg_get_serial_sequence('charges', 'id'), (SELECT max(id) FROM charges))")
  // As in a database that grew slowly: otherwise its upkeep would fall into the first rounds.
  await orders.query('VACUUM ANALYZE')
  await orders.query('CHECKPOINT')
}

// The copies follow the charge: its id + 1, + 2, ...
const COPY_CHARGES = `
  INSERT INTO charges OVERRIDING SYSTEM VALUE
  SELECT copy.* FROM charges AS c, generate_series($2::int, $3::int) AS n,
    jsonb_populate_record(c, jsonb_build_object('id', c.id + n, 'order_reference', 'stored', 'external_reference', 7,
      'created_at', c.created_at - $5 * interval '1 day' * (1 - n / $4::float8),
      'updated_at', c.updated_at - $5 * interval '1 day' * (1 - n / $4::float8))) AS copy
  WHERE c.id = $1 ORDER BY n`
const COPY_PAYMENTS = `
  INSERT INTO payments
  SELECT copy.* FROM payments AS p, generate_series($2::int, $3::int) AS n,
    jsonb_populate_record(p, jsonb_build_object('charge_id', p.charge_id + n,
      'order_number', 'STORED' || lpad(n::text, 13, '0') || p.position)) AS copy
  WHERE p.charge_id = $1`
const COPY_TRANSACTIONS = `
  INSERT INTO transactions
  SELECT copy.* FROM transactions AS t, generate_series($2::int, $3::int) AS n,
    jsonb_populate_record(t, jsonb_build_object('charge_id', t.charge_id + n, 'operation_id', gen_random_uuid())) AS copy
  WHERE t.charge_id = $1`
// As the triggers would have, which are off.
const SUM_DAYS = `
  INSERT INTO day_changes (seller_id, day, name, count, amount)
  SELECT seller_id, (created_at AT TIME ZONE 'America/Sao_Paulo')::date, name, count(*), sum(sums.amount)
  FROM charges, LATERAL (VALUES ('approved', authorized_amount), ('captured', captured_amount)) AS sums (name, amount)
  WHERE id > $1 AND sums.amount > 0 GROUP BY 1, 2, 3`
