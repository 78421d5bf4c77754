import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type LocalSystem = {
  /** The gRPC port of each service. */
  ports: Record<string, number>
  caFile: string
  certFile: string
  keyFile: string
}

/** Reads the `.run` of a folder where `npm start` runs; undefined when there is none. */
export function findLocalSystem(cwd: string): LocalSystem | undefined {
  const run = join(cwd, '.run')
  const state = readState(join(run, 'state.json'))
  if (state === undefined) return undefined
  return {
    ports: state.ports ?? {},
    caFile: join(run, 'certs/authority.crt'),
    certFile: join(run, 'certs/cofrectl.crt'),
    keyFile: join(run, 'certs/cofrectl.key'),
  }
}

function readState(path: string): { ports?: Record<string, number> } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { ports?: Record<string, number> }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
