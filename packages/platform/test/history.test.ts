import { join } from 'node:path'
import { HISTORY_KEPT_MS, type History } from '../src/history/history'
import { COUNTED_MAX } from '../src/list-page'
import { createLog } from '../src/telemetry/log'
import { openHistory } from '../src/history/history-settings'
import { createPool, type Pool } from '../src/postgres/postgres'
import { openPostgresHistory } from '../src/history/postgres-history'
import { createTestDatabase, eventually, PATIENT, type TestDatabase } from '@cofre/testing/testing'
import { keepsTheContract, newEntry, newSeller } from './history-contract'

const silent = createLog('test', 'silent')
const newDatabase = () => createTestDatabase(join(__dirname, 'migrations'))

describe('history in PostgreSQL', () => {
  keepsTheContract(async () => {
    const database = await newDatabase()
    return { open: async () => openPostgresHistory(database.pool, silent), end: database.drop }
  })
})

describe('history in PostgreSQL, beyond the contract', () => {
  let database: TestDatabase
  let history: History
  beforeAll(async () => {
    database = await newDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(() => {
    history = openPostgresHistory(database.pool, silent)
  })
  afterEach(() => history.close())

  test('entries older than 30 days are deleted, the rest stays', async () => {
    const sellerId = newSeller()
    const old = Array.from({ length: 30 }, () =>
      newEntry(sellerId, { at: Date.now() - HISTORY_KEPT_MS - 1_000 }),
    )
    const kept = newEntry(sellerId)
    await history.append([...old, kept])
    const sweepers = [1, 2, 3].map(() => openPostgresHistory(database.pool, silent))
    await eventually(async () => {
      const { rows } = await database.pool.query('SELECT id FROM history WHERE seller_id = $1', [sellerId])
      expect(rows).toEqual([{ id: kept.id }])
    })
    await Promise.all(sweepers.map((sweeper) => sweeper.close()))
  })

  test('counting ends at ten thousand', async () => {
    const sellerId = newSeller()
    await database.pool.query(
      `INSERT INTO history SELECT 'many-' || n, now(), $1, 's', '{}', '{}' FROM generate_series(1, $2::int) AS n`,
      [sellerId, COUNTED_MAX + 100],
    )
    const page = await history.find({ sellerId, page: 0, size: 1 })
    expect(page).toMatchObject({ total: COUNTED_MAX, totalIsLowerBound: true, more: true })
    const tooDeep = history.find({ sellerId, page: COUNTED_MAX, size: 1 })
    await expect(tooDeep).rejects.toMatchObject({ reason: 'PAGE_TOO_DEEP' })
  })

  test('a database that is away is reported as unavailable', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/none'
    const pool = createPool({ url, max: 1, name: 'test', ...PATIENT }, () => {})
    const away = openPostgresHistory(pool, silent)
    await expect(away.append([newEntry(1)])).rejects.toMatchObject({ kind: 'unavailable' })
    await away.close()
    await pool.end()
  })
})

test('a store that is away is logged with its reason, once; the URL may list several hosts', async () => {
  const lines: string[] = []
  const log = createLog('test', 'info', { write: (line: string) => void lines.push(line) })
  const settings = { mongodbUrl: 'mongodb://seller:secret@127.0.0.1:1,127.0.0.1:2/?retryWrites=true' }
  const history = await openHistory(settings, 'test', { pool: {} as Pool, log })
  for (let times = 0; times < 2; times++) {
    await expect(history.append([newEntry(1)])).rejects.toMatchObject({ kind: 'unavailable' })
  }
  await history.close()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('MongooseServerSelectionError')
  expect(lines[0]).not.toContain('secret')
})
