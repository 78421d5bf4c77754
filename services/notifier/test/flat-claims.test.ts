import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { CLAIM } from '../src/deliveries/claim-store'

const LANES_MAX = 100_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../migrations'))
})
afterAll(() => database.drop())

/** One receiver has nearly all lanes, half of them due now and half in an hour; nine others have one each. */
async function store(lanes: number): Promise<number[]> {
  const { pool } = database
  await pool.query('TRUNCATE lanes, receivers')
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO receivers (seller_id, name, host, next_at)
     SELECT 9, number::text, number::text, now() FROM generate_series(1, 10) AS number RETURNING id`,
  )
  const ids = rows.map(({ id }) => id)
  await pool.query(
    `INSERT INTO lanes (id, receiver_id, retried, due_at)
     SELECT gen_random_uuid(), ($2::bigint[])[CASE WHEN number < 10 THEN number + 1 ELSE 1 END],
       number % 3 = 0, now() + (number % 2) * interval '1 hour' - interval '1 minute'
     FROM generate_series(1, $1::int) AS number`,
    [lanes, ids],
  )
  await pool.query('VACUUM ANALYZE lanes')
  return ids
}

/** The pages that a claim touches: its cost, whatever else the machine does. */
async function pagesOfClaim(receiverIds: readonly number[]): Promise<number> {
  const tx = await database.pool.connect()
  try {
    await tx.query('BEGIN')
    await tx.query(`PREPARE claim AS ${CLAIM}`)
    const lists = [receiverIds, receiverIds.map(() => 8), receiverIds.map(() => 4)]
    const { rows } = await tx.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE claim(${lists.map((list) => `'{${list.join()}}'`).join()}, 20000)`,
    )
    const [{ Plan: plan }] = rows[0]['QUERY PLAN']
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  } finally {
    await tx.query('ROLLBACK')
    await tx.query('DEALLOCATE ALL')
    tx.release()
  }
}

test('a claim reads as much with a hundred thousand lanes waiting as with a thousand', async () => {
  const few = await pagesOfClaim(await store(1_000))
  const many = await pagesOfClaim(await store(LANES_MAX))
  // An index of more lanes is a level or two higher.
  expect(many).toBeLessThan(2 * few)
})
