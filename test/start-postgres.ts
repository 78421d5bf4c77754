import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDatabase, type DatabaseServer } from '../local/src/database'
import { freePorts } from '../engines/src/ports'
import { seedLine } from '../packages/testing/src/random'

declare global {
  var testDatabase: { server: DatabaseServer; dir: string; reaper: ChildProcess } | undefined
}

/** Says the seed, and starts one PostgreSQL for the whole test run; each test file makes a database of its own in it. */
export default async function startPostgres(): Promise<void> {
  process.stderr.write(seedLine())
  const dir = mkdtempSync(join(tmpdir(), 'cofre-test-'))
  chmodSync(dir, 0o755) // For root, PostgreSQL runs as another user, who needs access.
  process.env.TEST_RUN_DIR = dir
  const reaper = startReaper(dir)
  const [port = 0] = await freePorts(1)
  const server = await startDatabase(join(dir, 'postgres'), port, { unsafe: true })
  globalThis.testDatabase = { server, dir, reaper }
  process.env.TEST_DATABASE_URL = server.url
}

/** Starts a program that, when this run is killed, ends the programs that outlive it and deletes its folder. */
export function startReaper(dir: string): ChildProcess {
  const { TEST_RUN_DIR: _, ...env } = process.env
  const reaper = spawn(process.execPath, [join(__dirname, 'reaper.mjs'), dir], {
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  reaper.unref()
  return reaper
}
