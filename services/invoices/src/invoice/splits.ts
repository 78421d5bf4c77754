import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { Split } from './invoice'

const WHOLE_BPS = 10_000n

/** FAILED_PRECONDITION SPLIT_EXCEEDS_TOTAL where amounts and shares together are more than the total, in cents. */
export function checkSplits(splits: readonly Split[], amount: number): void {
  const fixed = sumOf(splits.map(({ amountInCents }) => amountInCents ?? 0))
  const bps = sumOf(splits.map(({ percentageBps }) => percentageBps ?? 0))
  // In whole numbers of any size: a share of a cent counts too.
  const rest = BigInt(amount - fixed) * WHOLE_BPS - BigInt(amount) * BigInt(bps)
  if (rest >= 0n && bps <= Number(WHOLE_BPS)) return
  const detail = 'must not add up to more than the total of the items'
  throw new DomainError('failed_precondition', 'SPLIT_EXCEEDS_TOTAL', 'The splits exceed the total.', {
    errors: [{ pointer: '#/splits', code: 'SUM', detail }],
  })
}
