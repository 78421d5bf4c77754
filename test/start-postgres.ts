import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDatabase, type DatabaseServer } from '../local/src/database'
import { freePorts } from '../engines/src/ports'

declare global {
  var testDatabase: { server: DatabaseServer; dir: string } | undefined
}

/** One PostgreSQL for the whole test run; each test file makes a database of its own in it. */
export default async function startPostgres(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-test-'))
  chmodSync(dir, 0o755) // As root, PostgreSQL runs as a user of its own, who must get in.
  const [port = 0] = await freePorts(1)
  const server = await startDatabase(join(dir, 'postgres'), port, { unsafe: true })
  globalThis.testDatabase = { server, dir }
  process.env.TEST_DATABASE_URL = server.url
  process.env.TEST_RUN_DIR = dir
}
