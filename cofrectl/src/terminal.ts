import type { Readable, Writable } from 'node:stream'

/** The input and output of a command: the process's own, or a test's. */
export type Terminal = {
  input: Readable & { isTTY?: boolean; setRawMode?(raw: boolean): unknown }
  output: Writable
  errors: Writable
  env: NodeJS.ProcessEnv
  cwd: string
}
