import { percentile } from '../figures'
import { drive, type Load, type Round } from '../load'
import type { MeasuredSystem } from '../measured-system'
import { between, readStatements } from '../statements'

/** The same system with few invoices and with many. */
export const SIZES = ['few', 'many'] as const
export type Size = (typeof SIZES)[number]
export type Systems = Record<Size, MeasuredSystem>

/** Milliseconds; `sqlMs` is PostgreSQL's time on invoices per request, by its own clock. */
export type Cost = { p50: number; p99: number; sqlMs: number; requests: number }
export type Costs = Record<Size, Cost>

/** A drift of the machine affects both alike. */
const TURNS: readonly Size[] = ['few', 'many', 'many', 'few']
const WARM_SECONDS = 0.5

/** Asks both systems in turns, with one client and `seconds` in all for each. Throws when a request fails. */
export async function measureByTurns(
  systems: Systems,
  seconds: number,
  loadOf: (size: Size) => Omit<Load, 'url' | 'clients' | 'seconds'>,
): Promise<Costs> {
  const rounds: Record<Size, Round[]> = { few: [], many: [] }
  const sqlMs: Record<Size, number> = { few: 0, many: 0 }
  const run = async (size: Size, length: number) => {
    const round = await drive({ ...loadOf(size), url: systems[size].target.url, clients: 1, seconds: length })
    if (round.failures > 0) throw new Error(`a request failed: ${round.firstFailure}`)
    return round
  }
  // The first read of a page comes from the disk.
  for (const size of SIZES) await run(size, WARM_SECONDS)
  for (const size of TURNS) {
    const { admin } = systems[size]
    const before = await readStatements(admin)
    rounds[size].push(await run(size, (2 * seconds) / TURNS.length))
    sqlMs[size] += invoicesMs(before, await readStatements(admin))
  }
  const costOf = (size: Size): Cost => {
    const latencies = rounds[size].flatMap(({ latenciesMs }) => latenciesMs)
    return {
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      sqlMs: sqlMs[size] / latencies.length,
      requests: latencies.length,
    }
  }
  return { few: costOf('few'), many: costOf('many') }
}

export function invoicesMs(...[before, after]: Parameters<typeof between>): number {
  return [...between(before, after).values()]
    .filter(
      ({ database, text }) =>
        database === 'invoices' && /\b(invoices|customers|invoice_numbers)\b/.test(text),
    )
    .reduce((sum, { ms }) => sum + ms, 0)
}
