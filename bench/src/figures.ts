/** The figures of one round of one path. Times in milliseconds. */
export type Figures = {
  perSecond: number
  p50: number
  p95: number
  p99: number
  /** CPU time per request, by process. */
  cpu: Record<string, number>
}

/** Returns the value that a share of all values do not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Returns the median of each figure over rounds, so that one slow round changes nothing. */
export function medianOf(rounds: readonly Figures[]): Figures {
  const of = (figure: (round: Figures) => number | undefined) =>
    median(rounds.map((round) => figure(round) ?? 0))
  const names = new Set(rounds.flatMap((round) => Object.keys(round.cpu)))
  return {
    perSecond: of((round) => round.perSecond),
    p50: of((round) => round.p50),
    p95: of((round) => round.p95),
    p99: of((round) => round.p99),
    cpu: Object.fromEntries([...names].map((name) => [name, of((round) => round.cpu[name])])),
  }
}

export function sumOf(values: Record<string, number>, names = Object.keys(values)): number {
  return names.reduce((sum, name) => sum + (values[name] ?? 0), 0)
}
