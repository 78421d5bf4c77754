import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { databaseUrl, startDatabase, type DatabaseServer } from '../src/database'
import { freePorts, isFree } from '@cofre/engines/ports'
import { DATABASES, makeDatabases, makePasswords } from '../src/service-databases'
import { choosePorts } from '../src/system-ports'

let dir: string
let port: number
let server: DatabaseServer
const passwords = makePasswords({ postgres: 'postgres' })

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'databases-'))
  chmodSync(dir, 0o755)
  ;[port = 0] = await freePorts(1)
  server = await startDatabase(join(dir, 'postgres'), port, { unsafe: true })
  await makeDatabases(port, passwords)
})
afterAll(async () => {
  await server.stop()
  rmSync(dir, { recursive: true })
})

async function connectAs(role: string, name: string): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl({ port, role, name, password: passwords[role] ?? '' }),
  })
  await client.connect()
  try {
    await client.query('CREATE TABLE IF NOT EXISTS proof (id int)')
  } finally {
    await client.end()
  }
}

test.each(DATABASES)('%s owns its database and can connect to no other', async (role) => {
  await connectAs(role, role)
  for (const other of [...DATABASES, 'postgres'].filter((name) => name !== role)) {
    await expect(connectAs(role, other)).rejects.toThrow('permission denied for database')
  }
})

test('making them again, or after an interrupted start, changes nothing', async () => {
  await makeDatabases(port, passwords)
  const admin = new Client({ connectionString: server.url })
  await admin.connect()
  await admin.query('DROP DATABASE notifier')
  await admin.end()
  await makeDatabases(port, passwords)
  await connectAs('notifier', 'notifier')
})

test('a wrong password gets no connection', async () => {
  const client = new Client({ connectionString: databaseUrl({ port, password: 'guess' }) })
  await expect(client.connect()).rejects.toThrow('password authentication failed')
})

test('the data survives a stop', async () => {
  await server.stop()
  server = await startDatabase(join(dir, 'postgres'), port, { unsafe: true })
  await connectAs('vault', 'vault')
})

test('free ports stay the same; a requested port that is in use is an error', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port: busy } = taken.address() as { port: number }
  const first = await choosePorts({ http: 0, sandbox: 0 }, {})
  expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length)
  expect(await choosePorts({ http: 0, sandbox: 0 }, { ...first })).toEqual(first)
  const moved = await choosePorts({ http: 0, sandbox: 0 }, { ...first, vault: busy })
  expect(moved).toEqual({ ...first, vault: moved.vault })
  expect(moved.vault).not.toBe(busy)
  await expect(choosePorts({ http: busy, sandbox: 0 }, {})).rejects.toThrow(`Port ${busy} is taken`)
  await new Promise((resolve) => taken.close(resolve))
  expect(await isFree(busy)).toBe(true)
})
