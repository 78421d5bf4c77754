import { Client, escapeLiteral, type QueryConfig } from 'pg'
import { callRpc } from '@cofre/platform/grpc/client'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import { ChargeStatus, ListChargesRequest } from '@cofre/proto/orders/v1/orders'
import { statementsIn } from '@cofre/testing/statements'
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
  return statementsIn(() => withKey('planned', () => authorize(orders, order(sellerId))))
}

/** Fills the tables to a middle size, where reading a whole one may look cheap. */
async function copyCharges(count: number): Promise<void> {
  const client = new Client({ connectionString: orders.url })
  await client.connect()
  const ids = `(SELECT max(id) FROM charges)`
  await client.query(
    `INSERT INTO charges OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM charges c, generate_series(1, $1::int) n,
       jsonb_populate_record(c, jsonb_build_object('id', c.id + n)) copy WHERE c.id = ${ids}`,
    [count],
  )
  await client.query(
    `INSERT INTO payments
     SELECT copy.* FROM payments p, generate_series(1, $1::int) n, jsonb_populate_record(p, jsonb_build_object(
       'charge_id', p.charge_id + n, 'order_number', 'COPY' || p.charge_id + n)) copy WHERE p.charge_id = ${ids} - $1`,
    [count],
  )
  await client.query(
    `INSERT INTO transactions
     SELECT copy.* FROM transactions t, generate_series(1, $1::int) n,
       jsonb_populate_record(t, jsonb_build_object('charge_id', t.charge_id + n)) copy
     WHERE t.charge_id = ${ids} - $1`,
    [count],
  )
  await client.query(`SELECT setval(pg_get_serial_sequence('charges', 'id'), ${ids})`)
  // Leaves grown tables as autovacuum would.
  await client.query('VACUUM ANALYZE')
  await client.end()
}

/** Asks PostgreSQL about a statement as the service prepares it: planned once, for any values. */
async function explain(options: string, { text }: QueryConfig, values: readonly string[]): Promise<string> {
  const client = new Client({ connectionString: orders.url })
  await client.connect()
  try {
    await client.query('SET plan_cache_mode = force_generic_plan')
    await client.query(`PREPARE planned AS ${text}`)
    const given = values.length > 0 ? `(${values.join(', ')})` : ''
    const { rows } = await client.query(`EXPLAIN ${options} EXECUTE planned ${given}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.end()
  }
}

function planOf(statement: QueryConfig): Promise<string> {
  const { values = [] } = statement
  return explain(
    '',
    statement,
    values.map(() => 'NULL'),
  )
}

test('authorizing reads no table as a whole, however many charges there are', async () => {
  const statements = await statementsOfAuthorize()
  await copyCharges(3_000)

  expect(statements).toHaveLength(2)
  for (const statement of statements) {
    expect(await planOf(statement)).not.toMatch(/Seq Scan on (charges|payments|transactions)/)
  }
})

/** Runs a statement. Returns its plan, and the most rows that any part of it read. */
async function ranAs(statement: QueryConfig): Promise<{ plan: string; rows: number }> {
  const values = (statement.values ?? []).map((value) => escapeLiteral(textOf(value)))
  const plan = await explain('(ANALYZE, COSTS OFF, TIMING OFF)', statement, values)
  const read = [...plan.matchAll(/rows=([\d.]+) loops=(\d+)/g)].map(
    ([, each, loops]) => Number(each) * Number(loops),
  )
  const removed = [...plan.matchAll(/Rows Removed by [\w ]+: (\d+)/g)].map(([, each]) => Number(each))
  return { plan, rows: Math.max(...read, ...removed) }
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

describe('a list of a seller with more charges than are counted', () => {
  const CHARGES = COUNTED_MAX + 2_000
  let sellerId: number
  const list = (request: Partial<ListChargesRequest>) =>
    callRpc(
      orders.client,
      orders.client.listCharges,
      ListChargesRequest.fromPartial({ sellerId, size: 10, ...request }),
    )
  beforeAll(async () => {
    sellerId = await newSeller(orders)
    await authorize(orders, order(sellerId, { orderReference: 'same', externalReference: 5 }))
    await copyCharges(CHARGES)
  })

  const ofAll = { statuses: [ChargeStatus.AUTHORIZED, ChargeStatus.DENIED, ChargeStatus.PENDING] }
  test.each<[string, Partial<ListChargesRequest>]>([
    ['nothing', {}],
    ['order reference', { orderReference: 'same' }],
    ['external reference', { externalReference: 5 }],
    ['status', { statuses: [ChargeStatus.AUTHORIZED] }],
    ['statuses', ofAll],
    ['time from', { createdFrom: 1 }],
    ['time to', { createdTo: 4_000_000_000_000 }],
    ['amount', { amount: 10_000 }],
    ['last four digits', { lastFour: '1111' }],
    ['authorization code', { authorizationCode: '418802' }],
  ])('filtered by %s reads no more than it counts, from an index', async (_name, filter) => {
    const [newest] = (await list({})).charges
    // The last numbered page needs no count when entries follow it. A long list is not counted again at once.
    for (const { asked, ...place } of [
      { page: 0, asked: 2 },
      { page: 999, asked: 1 },
      { page: 1, after: (newest?.id ?? 0) - COUNTED_MAX / 2, asked: 2 },
    ]) {
      const statements = await statementsIn(async () => {
        const found = await list({ ...filter, ...place })
        expect(found).toMatchObject({ total: COUNTED_MAX, totalIsLowerBound: true, more: true })
        expect(found.charges).toHaveLength(10)
      }, 'charges')
      expect(statements.length).toBeLessThanOrEqual(asked)
      for (const statement of statements) {
        const { plan, rows } = await ranAs(statement)
        expect(plan).not.toMatch(/Seq Scan on (charges|payments|transactions)/)
        expect(rows).toBeLessThanOrEqual(COUNTED_MAX + 1)
      }
    }
  })

  test('is reached by page numbers as far as it is counted, and to its end by its entries', async () => {
    await expect(list({ page: 1_000 })).rejects.toMatchObject({ reason: 'PAGE_TOO_DEEP' })
    const seen = new Set<number>()
    let page = await list({ size: 100, page: 99 })
    for (;;) {
      for (const { id } of page.charges) seen.add(id)
      if (!page.more) break
      page = await list({ size: 100, page: 100, after: page.charges.at(-1)?.id })
    }
    expect(seen.size).toBe(100 + CHARGES + 1 - COUNTED_MAX)
  })

  describe('whose acquirer calls all payments alike', () => {
    beforeAll(async () => {
      await orders.pool.query("UPDATE payments SET nsu = '123456', tid = '1006993069000509C28A'")
      await orders.pool.query('VACUUM ANALYZE payments')
    })

    test.each<[string, Partial<ListChargesRequest>]>([
      ['nsu', { nsu: '999999' }],
      ['tid', { tid: '1006993069207C5D1A3A' }],
      ['authorization code', { authorizationCode: '000000' }],
      ['last four digits', { lastFour: '0000' }],
      ['end-to-end id', { endToEndId: 'E9999900820260709121500f3a91c07b' }],
    ])('reads no payment to find that none has a certain %s', async (_name, filter) => {
      const statements = await statementsIn(async () => {
        expect(await list(filter)).toMatchObject({ charges: [], total: 0, more: false })
      }, 'charges')
      expect(statements).toHaveLength(1)
      for (const statement of statements) {
        const { plan, rows } = await ranAs(statement)
        expect([rows, plan]).toEqual([0, plan])
      }
    })
  })
})
