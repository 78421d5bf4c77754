import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Client } from 'pg'
import { findPostgres, requireReachable, type PostgresProgram, type SystemUser } from './postgres-program'
import { waitUntil } from './wait-until'

export type DatabaseServer = {
  url: string
  stop(): Promise<void>
  /** Ends it as a crash of the machine would: at once. */
  kill(): Promise<void>
}

/** The command that runs a PostgreSQL whose data folder exists. */
export type DatabaseCommand = { command: string; args: string[]; user: SystemUser }

type Unsafe = { unsafe?: boolean | undefined; unsynced?: boolean | undefined }

const START_TIMEOUT_MS = 30_000
const TEST_PASSWORD = 'postgres'

/**
 * Starts an embedded PostgreSQL with its data in `dir`, which it makes when absent. `unsafe` trades durability for
 * speed, for tests whose data nobody needs after a crash. With `unsynced`, only a crash of the machine loses commits:
 * they survive any end of PostgreSQL itself. `settings` are those of postgresql.conf.
 */
export async function startDatabase(
  dir: string,
  port: number,
  options: Unsafe & { settings?: Readonly<Record<string, string>> } = {},
): Promise<DatabaseServer> {
  const { command, args, user } = await prepareDatabase(dir, port, { ...options, password: TEST_PASSWORD })
  const server = spawn(command, args, { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  const words: string[] = []
  server.stderr.on('data', (chunk: Buffer) => words.push(chunk.toString()))
  const died = once(server, 'exit').then(() => {
    throw new Error(`PostgreSQL did not start: ${words.slice(-5).join(' ')}`)
  })
  died.catch(() => {}) // The race below reports it; later, the server's end is wanted.
  const url = databaseUrl({ port, password: TEST_PASSWORD })
  await Promise.race([untilAnswers(url, AbortSignal.timeout(START_TIMEOUT_MS)), died])
  words.length = 0
  server.stderr.removeAllListeners('data').resume()
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(server, 'exit')
    if (server.exitCode === null && server.signalCode === null && server.kill(signal)) await ended
  }
  return { url, stop: () => end('SIGINT'), kill: () => end('SIGKILL') }
}

/** Makes the data folder when absent, all or nothing, and returns the command that runs the server. */
export async function prepareDatabase(
  dir: string,
  port: number,
  options: Unsafe & { password: string; settings?: Readonly<Record<string, string>> },
): Promise<DatabaseCommand> {
  const program = findPostgres()
  requireReachable(dir, program.user)
  requireReachable(program.postgres, program.user)
  const unsynced = options.unsafe === true || options.unsynced === true
  if (!existsSync(dir)) await initialise(dir, options.password, program, unsynced)
  const settings = [
    'max_connections=200',
    'unix_socket_directories=',
    'listen_addresses=127.0.0.1',
    ...(unsynced ? ['fsync=off'] : []),
    ...(options.unsafe ? ['synchronous_commit=off', 'full_page_writes=off'] : []),
    ...Object.entries(options.settings ?? {}).map(([name, value]) => `${name}=${value}`),
  ]
  const args = ['-D', dir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  return { command: program.postgres, args, user: program.user }
}

async function initialise(
  dir: string,
  password: string,
  { initdb, user }: PostgresProgram,
  unsynced: boolean,
): Promise<void> {
  const unfinished = `${dir}.new`
  const passwordFile = `${dir}.password`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid)
  }
  try {
    const flags = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--locale=C']
    if (unsynced) flags.push('--no-sync')
    await runToEnd(initdb, [`--pgdata=${unfinished}`, `--pwfile=${passwordFile}`, ...flags], user)
    renameSync(unfinished, dir)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

async function runToEnd(command: string, args: string[], user: SystemUser): Promise<void> {
  const program = spawn(command, args, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const words: string[] = []
  program.stderr.on('data', (chunk: Buffer) => words.push(chunk.toString()))
  const [code] = await once(program, 'close')
  if (code !== 0) throw new Error(`PostgreSQL could not make its data folder: ${words.join('').trim()}`)
}

export function databaseUrl({
  port,
  password,
  name = 'postgres',
  role = 'postgres',
}: DatabaseAddress): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${name}`
}

type DatabaseAddress = { port: number; password: string; name?: string; role?: string }

/** Resolves when the server accepts connections. */
export async function untilAnswers(url: string, signal: AbortSignal): Promise<void> {
  await waitUntil(async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    client.on('error', () => {}) // The server may end a connection that it has just accepted; the next try follows.
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      return undefined
    }
  }, signal)
}
