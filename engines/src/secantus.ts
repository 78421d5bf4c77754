import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINES_DIR } from './engines-folder'

export const SECANTUS_VERSION = '0.5.3-beta.196'
const FOLDER = join(ENGINES_DIR, `secantus-${SECANTUS_VERSION}`)
const PROGRAM = join(FOLDER, 'bin', 'secantusd-rs')

/** Returns the program, when `buildSecantus` has built it. */
export function findSecantus(): string | undefined {
  return existsSync(PROGRAM) ? PROGRAM : undefined
}

/**
 * Builds SecantusDB, a server in Rust with MongoDB's protocol, in about ten minutes. It is GPL-2.0: the tests run it as
 * a separate program, and it is never linked or shipped. Cargo checks its downloads against the crate's lock file.
 */
export async function buildSecantus(): Promise<void> {
  if (findSecantus() !== undefined) return
  if (spawnSync('cargo', ['--version']).error)
    throw new Error('Rust is needed to build SecantusDB: no cargo.')
  const crate = ['secantus-mdb', '--version', SECANTUS_VERSION, '--locked', '--ignore-rust-version']
  const cargo = spawn('cargo', ['install', ...crate, '--root', FOLDER], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(cargo, 'close')
  if (code !== 0) throw new Error('cargo could not build SecantusDB')
}
