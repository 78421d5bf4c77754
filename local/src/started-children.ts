import { z } from 'zod'
import { bornAt } from './born-at'
import { readIfThere, writePrivately, type RunFolder } from './run-folder'
import { waitUntil } from './wait-until'

const GENTLE_MS = 5_000
const HARD_MS = 10_000
const recordShape = z.record(z.string(), z.object({ pid: z.number(), born: z.string() }))

/** Keeps, on disk, which processes were started, so that the next start finds those that outlived this one. */
export function recordChildren(run: RunFolder, pids: Record<string, number>): void {
  const record = Object.entries(pids).map(([name, pid]) => [name, { pid, born: bornAt(pid) ?? '' }])
  writePrivately(run.children, JSON.stringify(Object.fromEntries(record)))
}

/**
 * Ends what a start that was itself killed left behind: the services, then the database under them. Only processes
 * that are the ones recorded, by id and moment of birth, are touched. Returns their names.
 */
export async function endLeftovers(run: RunFolder): Promise<string[]> {
  const { postgres, ...others } = recordShape.parse(JSON.parse(readIfThere(run.children) ?? '{}'))
  const left = Object.entries(others).filter(([, child]) => lives(child))
  await Promise.all(left.map(([, child]) => end(child, 'SIGTERM', 'SIGKILL')))
  // Fast, then immediate shutdown, in the signals that PostgreSQL gives them.
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
