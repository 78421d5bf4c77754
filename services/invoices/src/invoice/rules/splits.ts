import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { Split } from './invoice'

const WHOLE_BPS = 10_000n

/** Throws FAILED_PRECONDITION SPLIT_EXCEEDS_TOTAL when amounts and shares together exceed the total, in cents. */
export function checkSplits(splits: readonly Split[], amount: number): void {
  const fixed = sumOf(splits.map(({ amountInCents }) => amountInCents ?? 0))
  const bps = sumOf(splits.map(({ percentageBps }) => percentageBps ?? 0))
  // In bigint, so that fractions of a cent count too.
  const rest = BigInt(amount - fixed) * WHOLE_BPS - BigInt(amount) * BigInt(bps)
  if (rest >= 0n && bps <= Number(WHOLE_BPS)) return
  const detail = 'must not add up to more than the total of the items'
  throw new DomainError('failed_precondition', 'SPLIT_EXCEEDS_TOTAL', 'The splits exceed the total.', {
    errors: [{ pointer: '#/splits', code: 'SUM', detail }],
  })
}
