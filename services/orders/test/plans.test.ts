import { Client, type QueryConfig } from 'pg'
import { order, authorize } from './support/orders'
import { newSeller, startOrders, withKey, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

/** The prepared statements of one authorization. */
async function statementsOfAuthorize(): Promise<QueryConfig[]> {
  const sellerId = await newSeller(orders)
  const queries = jest.spyOn(Client.prototype, 'query')
  await withKey('planned', () => authorize(orders, order(sellerId)))
  const statements = queries.mock.calls.map(([query]) => query as unknown as QueryConfig)
  queries.mockRestore()
  return statements
}

/** Middle-sized tables, where reading all of one may look cheap. */
async function copyCharges(count: number): Promise<void> {
  const ids = `(SELECT max(id) FROM charges)`
  await orders.pool.query(
    `INSERT INTO charges OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM charges c, generate_series(1, $1::int) n,
       jsonb_populate_record(c, jsonb_build_object('id', c.id + n)) copy WHERE c.id = ${ids}`,
    [count],
  )
  await orders.pool.query(
    `INSERT INTO payments
     SELECT copy.* FROM payments p, generate_series(1, $1::int) n, jsonb_populate_record(p, jsonb_build_object(
       'charge_id', p.charge_id + n, 'order_number', 'COPY' || n)) copy WHERE p.charge_id = ${ids} - $1`,
    [count],
  )
  await orders.pool.query('ANALYZE')
}

/** As PostgreSQL runs it once it no longer looks at the values. */
async function planOf({ text, values = [] }: QueryConfig): Promise<string> {
  const client = new Client({ connectionString: orders.url })
  await client.connect()
  try {
    await client.query('SET plan_cache_mode = force_generic_plan')
    await client.query(`PREPARE planned AS ${text}`)
    const { rows } = await client.query(`EXPLAIN EXECUTE planned (${values.map(() => 'NULL').join(', ')})`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.end()
  }
}

test('authorizing reads no table as a whole, however many charges there are', async () => {
  const statements = await statementsOfAuthorize()
  await copyCharges(3_000)

  expect(statements).toHaveLength(2)
  for (const statement of statements) {
    expect(await planOf(statement)).not.toMatch(/Seq Scan on (charges|payments|transactions)/)
  }
})
