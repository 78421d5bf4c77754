import { newCall, runCall } from '../../src/grpc/call-context'
import { toStatus } from '../../src/grpc/status'
import { createPool, withTransaction, type Pool } from '../../src/postgres/postgres'
import { openLineTo, type Line } from '@cofre/testing/tcp-line'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'

let database: TestDatabase
let line: Line
let pool: Pool
beforeEach(async () => {
  database = await createTestDatabase()
  await database.pool.query(`
    CREATE TABLE things (id int);
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER held AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`)
  line = await openLineTo(database.url)
  pool = createPool({ url: line.through(database.url), max: 2, name: 'test' }, () => {})
})
afterEach(async () => {
  await line.cut()
  await pool.end()
  await database.drop()
})

/** The reason that the caller of an RPC gets when `work` fails in it. */
async function reasonOf(work: () => Promise<unknown>): Promise<unknown> {
  const call = { ...newCall({ timeoutMs: 60_000 }), dispatch: { begun: false } }
  return runCall(call, () => work().then(String, (error) => toStatus(error).metadata?.get('error-reason')[0]))
}

/** Cuts the line to the database once a transaction waits: in its COMMIT, or in a statement. */
async function cutWhile(work: () => Promise<unknown>): Promise<unknown> {
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT pg_advisory_xact_lock(1)')
  const heard = reasonOf(work)
  await eventually(async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    expect(rowCount).toBe(1)
  })
  await line.cut()
  const reason = await heard
  await holder.query('COMMIT')
  holder.release()
  return reason
}

const inTransaction = (statement: string) => () => withTransaction(pool, (tx) => tx.query(statement))
const byItself = (statement: string) => () => pool.query(statement)

test('a caller whose COMMIT was not answered learns that the outcome is unknown; it was done', async () => {
  expect(await cutWhile(inTransaction('INSERT INTO things VALUES (1)'))).toBe('OUTCOME_UNKNOWN')
  await eventually(async () => expect((await database.pool.query('SELECT FROM things')).rowCount).toBe(1))
})

test('a caller whose transaction broke off before its COMMIT learns that nothing was done', async () => {
  expect(await cutWhile(inTransaction('SELECT pg_advisory_xact_lock(1)'))).toBe('SERVICE_UNAVAILABLE')
})

test('a caller whose lone write was not answered learns that the outcome is unknown; it was done', async () => {
  expect(await cutWhile(byItself('INSERT INTO things VALUES (1)'))).toBe('OUTCOME_UNKNOWN')
  await eventually(async () => expect((await database.pool.query('SELECT FROM things')).rowCount).toBe(1))
})

test('a caller whose only statement read, or never left, learns that nothing was done', async () => {
  expect(await cutWhile(byItself('SELECT pg_advisory_xact_lock(1)'))).toBe('SERVICE_UNAVAILABLE')
  expect(await reasonOf(byItself('INSERT INTO things VALUES (1)'))).toBe('SERVICE_UNAVAILABLE')
})
