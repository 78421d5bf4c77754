import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { migrate } from '@cofre/platform/postgres/migrate'
import { createPool } from '@cofre/platform/postgres/postgres'
import { databaseOf, SERVICE_NAMES } from '@cofre/platform/service/services'
import { PATIENT } from '@cofre/testing/testing'
import { freePorts } from '../../engines/src/ports'
import { databaseUrl, startDatabase } from '../../local/src/database'
import { runFolder } from '../../local/src/run-folder'
import { saveState } from '../../local/src/saved-state'
import { makeDatabases, makePasswords, type Passwords } from '../../local/src/service-databases'

/** Keeps no more write-ahead log than PostgreSQL needs: each run folder gets a copy of it. */
const LITTLE_LOG = { wal_recycle: 'off', min_wal_size: '32MB' }
const SERVICES = join(__dirname, '../../services')

/**
 * Gives a run folder the databases of the product, migrated and empty, as its first start makes them. They are made
 * once for all the files of a test run; a lock makes the files take turns.
 */
export async function giveDatabases(runDir: string): Promise<void> {
  const made = join(process.env['TEST_RUN_DIR'] ?? '', 'product')
  const client = new Client({ connectionString: process.env['TEST_DATABASE_URL'] })
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('databases of the product'))")
    if (!existsSync(made)) await make(made)
  } finally {
    await client.end()
  }
  mkdirSync(runDir)
  const [from, to] = [runFolder(made), runFolder(runDir)]
  // Unlike a copy by Node, `cp -a` keeps the owner: for root, PostgreSQL runs as another user.
  execFileSync('cp', ['-a', from.postgres, from.state, to.dir])
}

/** Makes the databases under another name first, so that they are whole or absent. */
async function make(made: string): Promise<void> {
  const unfinished = runFolder(`${made}.new`)
  rmSync(unfinished.dir, { recursive: true, force: true })
  mkdirSync(unfinished.dir)
  const passwords = makePasswords({})
  saveState(unfinished, { ports: {}, passwords })
  const [port = 0] = await freePorts(1)
  const server = await startDatabase(unfinished.postgres, port, { unsafe: true, settings: LITTLE_LOG })
  try {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    await client.query(`ALTER ROLE postgres PASSWORD '${passwords['postgres']}'`)
    await client.end()
    await makeDatabases(port, passwords)
    await Promise.all(SERVICE_NAMES.map((service) => migrateOne(service, port, passwords)))
  } finally {
    await server.stop()
  }
  renameSync(unfinished.dir, made)
}

async function migrateOne(
  service: (typeof SERVICE_NAMES)[number],
  port: number,
  passwords: Passwords,
): Promise<void> {
  const name = databaseOf(service)
  const url = databaseUrl({ port, name, role: name, password: passwords[name] ?? '' })
  const pool = createPool({ url, max: 1, name: 'test', ...PATIENT }, () => {})
  try {
    await migrate(pool, join(SERVICES, service, 'migrations'))
  } finally {
    await pool.end()
  }
}
