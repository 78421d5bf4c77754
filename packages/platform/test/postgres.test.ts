import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/postgres/migrate'
import {
  breaches,
  createPool,
  isDatabaseDown,
  untilDatabaseAnswers,
  withTransaction,
} from '../src/postgres/postgres'
import { openLineTo } from '@cofre/testing/tcp-line'
import { createTestDatabase, eventually, PATIENT, type TestDatabase } from '@cofre/testing/testing'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, 'migrations'))
})
afterAll(() => database.drop())

test('migrating twice, or from two processes at once, applies each file once', async () => {
  const dir = join(__dirname, 'migrations')
  await Promise.all([migrate(database.pool, dir), migrate(database.pool, dir)])
  const { rows } = await database.pool.query('SELECT name FROM service_migrations')

  expect(rows).toEqual([{ name: '001_things' }])
})

test('a service has the tables of the platform that it names, may name more later, and loses none', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-migrations-'))
  const nameTables = (...tables: string[]) =>
    writeFileSync(join(dir, 'platform-tables.json'), JSON.stringify(tables))
  nameTables('history')
  const other = await createTestDatabase(dir)
  const tables = async () => {
    const { rows } = await other.pool.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '%_migrations'",
    )
    return rows.map(({ name }) => name).sort()
  }

  expect(await tables()).toEqual(['history'])
  nameTables('history', 'inbox')
  await migrate(other.pool, dir)
  expect(await tables()).toEqual(['history', 'inbox'])
  nameTables()
  await migrate(other.pool, dir)
  expect(await tables()).toEqual(['history', 'inbox'])
  nameTables('inbux')
  await expect(migrate(other.pool, dir)).rejects.toThrow('inbox')
  await other.drop()
  rmSync(dir, { recursive: true })
})

test('a database with the migrations of another program is refused, and stays as it was', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-migrations-'))
  writeFileSync(join(dir, 'platform-tables.json'), '[]')
  writeFileSync(join(dir, '001_other.sql'), 'CREATE TABLE other (id int);')
  const other = await createTestDatabase(join(__dirname, 'migrations'))
  await expect(migrate(other.pool, dir)).rejects.toThrow('001_other')
  expect((await other.pool.query("SELECT to_regclass('other') AS made")).rows).toEqual([{ made: null }])
  await other.drop()
  rmSync(dir, { recursive: true })
})

test('a migration may take longer than a statement, and so may the wait for another process that migrates', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-migrations-'))
  writeFileSync(join(dir, 'platform-tables.json'), '[]')
  const other = await createTestDatabase()
  // In this pool, statements end after half a second, and the wait for an answer after a whole one.
  writeFileSync(join(dir, '001_slow.sql'), 'SELECT pg_sleep(6); CREATE TABLE slow (id int);')
  const pool = createPool({ url: other.url, max: 1, name: 't', timeoutMs: 500 }, () => {})
  // This test is not about the time that a busy machine takes to connect.
  pool.options.connectionTimeoutMillis = PATIENT.timeoutMs

  await Promise.all([migrate(pool, dir), migrate(other.pool, dir)])
  expect((await other.pool.query('SELECT FROM slow')).rowCount).toBe(0)
  await pool.end()
  await other.drop()
  rmSync(dir, { recursive: true })
})

test('a transaction that throws leaves nothing and gives its connection back', async () => {
  const { pool } = database
  const before = pool.totalCount - pool.idleCount
  const failing = withTransaction(pool, async (tx) => {
    await tx.query('INSERT INTO things VALUES (1)')
    throw new Error('no')
  })

  await expect(failing).rejects.toThrow('no')
  expect((await pool.query('SELECT 1 FROM things WHERE id = 1')).rowCount).toBe(0)
  expect(pool.totalCount - pool.idleCount).toBe(before)
})

test('a transaction whose connection is cut fails as a database that is down, and the process lives', async () => {
  const cut = withTransaction(database.pool, (tx) =>
    tx.query('SELECT pg_terminate_backend(pg_backend_pid())'),
  )

  expect(isDatabaseDown(await cut.catch((error: unknown) => error))).toBe(true)
  expect((await database.pool.query('SELECT 1')).rowCount).toBe(1)
})

test('a breached constraint is known by its name', async () => {
  await database.pool.query('INSERT INTO things VALUES (2)')
  const error = await database.pool.query('INSERT INTO things VALUES (2)').catch((caught: unknown) => caught)

  expect(breaches(error, 'things_pkey')).toBe(true)
  expect(breaches(error, 'another')).toBe(false)
  expect(isDatabaseDown(error)).toBe(false)
})

test('a bigint that a number cannot hold is an error, not a wrong amount', async () => {
  await expect(database.pool.query('SELECT 9007199254740993::bigint')).rejects.toThrow('safe range')
})

describe('a database that does not answer', () => {
  const poolAt = (port: number) =>
    createPool({ url: `postgres://x@127.0.0.1:${port}/x`, max: 2, name: 't' }, () => {})

  test('is recognized when nothing listens', async () => {
    const pool = poolAt(1)
    expect(isDatabaseDown(await pool.query('SELECT 1').catch((error: unknown) => error))).toBe(true)
    await pool.end()
  })

  test('is recognized when it hangs up', async () => {
    const server = await new Promise<Server>((resolve) => {
      const listening = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1', () =>
        resolve(listening),
      )
    })
    const pool = poolAt((server.address() as { port: number }).port)
    expect(isDatabaseDown(await pool.query('SELECT 1').catch((error: unknown) => error))).toBe(true)
    await pool.end()
    await new Promise((resolve) => server.close(resolve))
  })

  test('is recognized when it falls silent, in a transaction too, and is used again when it answers', async () => {
    const line = await openLineTo(database.url)
    const pool = createPool(
      { url: line.through(database.url), max: 2, name: 't', timeoutMs: 1_000 },
      () => {},
    )
    const silenced = withTransaction(pool, async (tx) => {
      await tx.query('SELECT 1')
      line.passes = false
      await tx.query('SELECT 2')
    })
    expect(isDatabaseDown(await silenced.catch((error: unknown) => error))).toBe(true)
    expect(isDatabaseDown(await pool.query('SELECT 1').catch((error: unknown) => error))).toBe(true)
    line.passes = true
    expect((await pool.query('SELECT 1')).rowCount).toBe(1)
    await pool.end()
    await line.cut()
  })

  test('is given up by a migration when it falls silent', async () => {
    const line = await openLineTo(database.url)
    const pool = createPool({ url: line.through(database.url), max: 1, name: 't' }, () => {})
    const migrating = await withTransaction(database.pool, async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock(hashtext('migrations'))")
      const running = migrate(pool, join(__dirname, 'migrations'), 5_000).catch((error: unknown) => error)
      await eventually(async () => {
        const waiting = await tx.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        expect(waiting.rowCount).toBe(1)
      })
      line.passes = false
      return running
    })
    expect(migrating).toMatchObject({ message: 'the migrations took too long' })
    await pool.end()
    await line.cut()
  })

  test('is waited for while it starts', async () => {
    const there = new URL(database.url)
    let refused = 0
    const starting = createServer((socket) => {
      if (refused++ < 2) {
        socket.destroy()
        return
      }
      const server = connect(Number(there.port), there.hostname)
      for (const end of [socket, server]) end.on('error', () => {})
      socket.pipe(server).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(starting, 'listening')
    const here = new URL(database.url)
    here.port = String((starting.address() as AddressInfo).port)
    const pool = createPool({ url: here.href, max: 1, name: 't' }, () => {})

    await untilDatabaseAnswers(pool)
    expect(refused).toBe(3)
    await pool.end()
    await new Promise((resolve) => starting.close(resolve))
  })

  test('is not waited for beyond the limit, nor when it refuses', async () => {
    const away = poolAt(1)
    await expect(untilDatabaseAnswers(away, 1)).rejects.toThrow('ECONNREFUSED')
    const url = new URL(database.url)
    url.pathname = '/nobody_made_this'
    const refusing = createPool({ url: url.href, max: 1, name: 't' }, () => {})
    await expect(untilDatabaseAnswers(refusing)).rejects.toThrow('does not exist')
    await Promise.all([away.end(), refusing.end()])
  })
})
