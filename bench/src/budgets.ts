import { sumOf } from './figures'
import type { PathResult, Result } from './result'

export type Check = { budget: string; limit: number; found: number; unit: string; kept: boolean }

/** The processes that are not ours: the partner and the load generator. */
export const NOT_OURS = ['sandbox', 'load generator']

/** Returns the budgets that this run can check, for one client and for sixteen. */
export function checkBudgets(result: Result): Check[] {
  const [one, sixteen] = [at(result.authorize, 1), at(result.authorize, 16)]
  const partnerMs = result.partner.figures.p50
  const memoryMib = sumOf(result.idleMemory)
  const all = [...result.authorize, ...result.voucherPayment, ...result.paths]
  const failures = all.reduce((sum, { failures: each }) => sum + each, 0)
  return [
    atMost('authorize, own time p50, 1 client', one.figures.p50 - partnerMs, 8, 'ms'),
    atMost('authorize, own time p99, 1 client', one.figures.p99 - partnerMs, 30, 'ms'),
    atLeast(
      'authorize, share of the bare path, 16 clients',
      sixteen.figures.perSecond / at(result.barePath, 16).figures.perSecond,
      0.33,
    ),
    atLeast(
      'voucher payment, rate beside authorize, 16 clients',
      at(result.voucherPayment, 16).figures.perSecond / sixteen.figures.perSecond,
      1.2,
    ),
    atMost('event to first delivery, p99', result.delivery.p99, 250, 'ms'),
    atMost('event to first delivery, p99, 16 clients beside', result.busyDelivery.p99, 250, 'ms'),
    atMost('start to ready, data present', result.startSeconds, 10, 's'),
    atMost('idle memory of all processes', memoryMib, 900, 'MiB'),
    atMost('requests that failed', failures, 0, ''),
  ]
}

/** Returns the CPU time of our own processes for one request. */
export function ownCpuMs({ figures }: PathResult): number {
  return sumOf(
    figures.cpu,
    Object.keys(figures.cpu).filter((name) => !NOT_OURS.includes(name)),
  )
}

export function at(results: readonly PathResult[], clients: number): PathResult {
  const found = results.find((result) => result.clients === clients)
  if (!found) throw new Error(`nothing was measured with ${clients} clients`)
  return found
}

function atMost(budget: string, found: number, limit: number, unit: string): Check {
  return { budget, found, limit, unit: `≤ ${limit} ${unit}`.trim(), kept: found <= limit }
}

function atLeast(budget: string, found: number, limit: number): Check {
  return { budget, found, limit, unit: `≥ ${limit}`, kept: found >= limit }
}
