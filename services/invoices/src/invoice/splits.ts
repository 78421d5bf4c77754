import { DomainError } from '@cofre/platform/errors'
import { sumOf } from '@cofre/platform/money'
import type { Split } from './invoice'

const WHOLE_BPS = 10_000

/** FAILED_PRECONDITION SPLIT_EXCEEDS_TOTAL where amounts and shares together are more than the total, in cents. */
export function checkSplits(splits: readonly Split[], amount: number): void {
  const shares = splits.map(({ amountInCents, percentageBps }) =>
    amountInCents === null ? Math.floor((amount * (percentageBps ?? 0)) / WHOLE_BPS) : amountInCents,
  )
  if (sumOf(shares) <= amount) return
  const detail = 'must not add up to more than the total of the items'
  throw new DomainError('failed_precondition', 'SPLIT_EXCEEDS_TOTAL', 'The splits exceed the total.', {
    errors: [{ pointer: '#/splits', code: 'SUM', detail }],
  })
}
