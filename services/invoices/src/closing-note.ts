import { maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { fault, throwFaults } from './request-check'

const REASON_MAX = 2_000
const NAME_MAX = 100

/**
 * The note of a member of the platform team, and their name, without card numbers. INVALID_ARGUMENT VALIDATION_FAILED.
 */
export function closingNote({ reason, closedBy }: { reason: string; closedBy: string }): {
  note: string
  by: string
} {
  const isReason = reason.trim() !== '' && reason.length <= REASON_MAX
  const isName = closedBy.trim() !== '' && closedBy.length <= NAME_MAX
  throwFaults([
    ...(isReason ? [] : [fault('#/reason', 'LENGTH', `must have 1 to ${REASON_MAX} characters`)]),
    ...(isName ? [] : [fault('#/closedBy', 'LENGTH', `must have 1 to ${NAME_MAX} characters`)]),
  ])
  return { note: maskCardNumbersIn(reason.trim()), by: maskCardNumbersIn(closedBy.trim()) }
}
