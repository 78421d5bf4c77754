import type { Readable, Writable } from 'node:stream'

/** Where a command reads and writes: the process, or a test. */
export type Terminal = {
  input: Readable & { isTTY?: boolean; setRawMode?(raw: boolean): unknown }
  output: Writable
  errors: Writable
  env: NodeJS.ProcessEnv
  cwd: string
}
