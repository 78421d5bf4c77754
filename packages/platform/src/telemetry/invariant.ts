import type { Logger } from './log'
import { count } from './metrics'

/** Reports the breach of a rule that must always hold, for a person to see at once. The count must stay 0. */
export function tellViolation(log: Logger, invariant: string, facts: Record<string, unknown>): void {
  count('invariant_violations', 'Violations of rules that must always hold.', { invariant })
  log.error({ ...facts, invariant }, 'invariant violated')
}
