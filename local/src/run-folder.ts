import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of one running system: `.run/`. */
export type RunFolder = {
  dir: string
  postgres: string
  certs: string
  keys: string
  logs: string
  sandbox: string
  /** The state that the next start needs: ports, passwords, the demo sellers. */
  state: string
  /** `lock` names the process that runs the system, `children` the processes that it started. */
  lock: string
  children: string
  partners: string
  compileCache: string
  engines: string
  /** Exists once everything answers, and says how to reach it. */
  ready: string
}

export function runFolder(dir: string): RunFolder {
  const at = (name: string) => join(dir, name)
  return {
    dir,
    postgres: at('postgres'),
    certs: at('certs'),
    keys: at('keys'),
    logs: at('logs'),
    sandbox: at('sandbox'),
    state: at('state.json'),
    lock: at('start.pid'),
    children: at('children.json'),
    partners: at('partners.json'),
    compileCache: at('compile-cache'),
    engines: at('engines'),
    ready: at('ready.json'),
  }
}

/** Makes the folders. PostgreSQL may run as another user, who must be able to enter the outer one. */
export function makeFolders(run: RunFolder): void {
  mkdirSync(run.dir, { recursive: true })
  chmodSync(run.dir, 0o755)
  for (const dir of [run.certs, run.logs]) mkdirSync(dir, { recursive: true })
  for (const dir of [run.keys, run.sandbox]) mkdirSync(dir, { recursive: true, mode: 0o700 })
}

/** Removes everything but the lock, which the caller holds, and the downloaded engines. */
export function clearFolder(run: RunFolder): void {
  for (const name of readdirSync(run.dir)) {
    const path = join(run.dir, name)
    if (path !== run.lock && path !== run.engines) rmSync(path, { recursive: true, force: true })
  }
}

/** Writes a file all or nothing, readable by its owner alone. */
export function writePrivately(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
