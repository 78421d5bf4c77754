import { become, decide, settled, unanswered, type Money } from './money'

export type Wanted = { wanted: 'capture' | 'refund'; amount?: number | undefined }

/** The ways in which the money may stand after these were all accepted, in any order; empty when they cannot be. */
export function endsOf(money: Money, accepted: readonly Wanted[]): Money[] {
  if (accepted.length === 0) return [settled(money)]
  return accepted.flatMap((first, at) => {
    const operation = decide(money, first.wanted, first.amount)
    if (typeof operation === 'string') return []
    return endsOf(become(money, operation, 'done'), accepted.toSpliced(at, 1))
  })
}

/** The codes that may refuse a request raced by these others, each of which may be under way, done or still to come. */
export function refusalsOf(money: Money, refused: Wanted, accepted: readonly Wanted[]): Set<string> {
  const codes = [money, settled(money)]
    .map((now) => decide(now, refused.wanted, refused.amount))
    .filter((decision) => typeof decision === 'string')
  for (const [at, first] of accepted.entries()) {
    const operation = decide(money, first.wanted, first.amount)
    if (typeof operation === 'string') continue
    const rest = accepted.toSpliced(at, 1)
    for (const next of [become(money, operation, 'done'), unanswered(money, operation, 'done')])
      codes.push(...refusalsOf(next, refused, rest))
  }
  return new Set(codes)
}
