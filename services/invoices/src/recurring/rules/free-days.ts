import type { Fine, Interest } from '../../invoice/rules/invoice'

type Lateness = { fine: Fine | null; interest: Interest | null }

/**
 * The fine and interest of an invoice that a card is charged for. The days on which the schedule tries the card again
 * cost nothing, whoever pays in what way: the payer waits for us. `dunningDays`: counted from the due day, ascending.
 */
export function afterRetries({ fine, interest }: Lateness, dunningDays: readonly number[]): Lateness {
  const first = (dunningDays.at(-1) ?? 0) + 1
  return {
    fine: fine && { ...fine, startsAfterDays: Math.max(fine.startsAfterDays, first) },
    interest: interest && { ...interest, startsAfterDays: Math.max(interest.startsAfterDays, first) },
  }
}
