import { z } from 'zod'
import { bornAt } from './born-at'
import { readIfThere, writePrivately, type RunFolder } from './run-folder'
import { waitUntil } from './wait-until'

const GENTLE_MS = 5_000
const HARD_MS = 10_000
const recordShape = z.record(z.string(), z.object({ pid: z.number(), born: z.string() }))

/** Records the started processes on disk, so that the next start finds those that outlived this one. */
export function recordChildren(run: RunFolder, pids: Record<string, number>): void {
  const record = Object.entries(pids).map(([name, pid]) => [name, { pid, born: bornAt(pid) ?? '' }])
  writePrivately(run.children, JSON.stringify(Object.fromEntries(record)))
}

/**
 * Ends the processes of a start that was itself killed: the services, then their database. Touches only recorded
 * processes, by id and start time. Returns their names.
 */
export async function endLeftovers(run: RunFolder): Promise<string[]> {
  const { postgres, ...others } = recordShape.parse(JSON.parse(readIfThere(run.children) ?? '{}'))
  const left = Object.entries(others).filter(([, child]) => lives(child))
  await Promise.all(left.map(([, child]) => end(child, 'SIGTERM', 'SIGKILL')))
  // PostgreSQL's signals for a fast, then an immediate shutdown.
  const database = postgres && lives(postgres) ? postgres : undefined
  if (database) await end(database, 'SIGINT', 'SIGQUIT')
  return [...left.map(([name]) => name), ...(database ? ['postgres'] : [])]
}

type Recorded = { pid: number; born: string }

function lives({ pid, born }: Recorded): boolean {
  return bornAt(pid) === born
}

async function end(child: Recorded, gentle: NodeJS.Signals, hard: NodeJS.Signals): Promise<void> {
  process.kill(child.pid, gentle)
  if (await endsWithin(child, GENTLE_MS)) return
  process.kill(child.pid, hard)
  if (!(await endsWithin(child, HARD_MS)))
    throw new Error(`Process ${child.pid} of an earlier start does not end.`)
}

function endsWithin(child: Recorded, timeoutMs: number): Promise<boolean> {
  const ended = waitUntil(async () => (lives(child) ? undefined : true), AbortSignal.timeout(timeoutMs))
  return ended.catch(() => false)
}
