import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { System } from '../journeys/system'

/** The outcome of one request. Without `status`, it was not answered. */
export type Outcome = {
  reference: string
  key: string
  askedAt: number
  ms: number
  status?: number
  retryAfter?: string
  /** The id of the charge, when there is one. */
  id?: number
  /** Status of the charge, or code of the problem. */
  says?: string
  error?: string
}
export type Arrivals = { endedAt: number; outcomes: Outcome[] }

/** Sends authorizations at a steady rate, whether earlier ones are answered or not. */
export async function arrive(
  system: System,
  plan: { cardToken: string; perSecond: number; seconds: number; name: string },
): Promise<Arrivals> {
  const { baseUrl: url, token, sellerId } = system.ready
  const path = `/api/v2/sellers/${sellerId}/orders/credit-card/authorize`
  const file = join(system.runDir, `${plan.name}.json`)
  const args = [join(__dirname, 'arrivals.mjs'), JSON.stringify({ url, path, token, ...plan }), file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`the generator ended with ${code}`)
  return JSON.parse(readFileSync(file, 'utf8')) as Arrivals
}

/** Runs clients that ask again as soon as they are answered. Returns how long each answer took, in milliseconds. */
export async function askInTurns(
  clients: number,
  ms: number,
  ask: () => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = []
  const until = performance.now() + ms
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        const began = performance.now()
        await ask()
        took.push(performance.now() - began)
      }
    }),
  )
  return took
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** The most memory that each process had while something ran, in MiB. */
export async function watchMemory<Result>(
  pids: Record<string, number>,
  work: Promise<Result>,
): Promise<{ result: Result; peaks: Record<string, number> }> {
  const peaks: Record<string, number> = {}
  const look = () => {
    for (const [name, pid] of Object.entries(pids)) peaks[name] = Math.max(peaks[name] ?? 0, residentMib(pid))
  }
  const looking = setInterval(look, 250)
  try {
    return { result: await work, peaks }
  } finally {
    clearInterval(looking)
  }
}

/** The resident memory of a process, in MiB; 0 when the system does not show it. */
function residentMib(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
