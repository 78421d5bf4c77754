import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { pendingTooLongBefore } from '@cofre/platform/operation/terms'
import { foldDayChanges } from '@cofre/platform/postgres/day-sums-store'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe } from '@cofre/platform/telemetry/metrics'
import { observeOutbox, startRelay } from '@cofre/platform/events/outbox'
import type { SweeperDeps } from '../deps'
import { countPendingTooLong, oldestPendingAge } from '../charge-store/pending-transaction-store'
import { oldestComparisonAge } from '../reconciliation/comparison-store'
import { observeDisputes } from '../disputes/observe'
import { dropAbandoned } from '../dispute-store/evidence-store'
import { askDisputes } from './ask-disputes'
import { compareBooks } from './compare-books'
import { passDeadlines } from './dispute-deadlines'
import { expireAuthorizations } from './expire-authorizations'
import { lookAgain } from './look-again'
import { startAnswers } from './resolve-answers'
import { startResolver } from './resolve-pending'

const EXPIRE_EVERY_MS = 60_000
const LOOK_EVERY_MS = 60_000
const COMPARE_EVERY_MS = 1_000
const DISPUTES_EVERY_MS = 1_000
const DEADLINES_EVERY_MS = 60_000
const FOLD_EVERY_MS = 1_000
const FORGET_EVERY_MS = 600_000

/** Starts the background jobs. Each may run in any number of replicas at once. */
export function startSweepers(deps: SweeperDeps): Loop[] {
  const failed = (what: string) => (error: unknown) => deps.log.error({ err: error }, `${what} failed`)
  observeOutbox(deps.pool)
  observe('charges_pending_oldest_age_seconds', 'Age of the oldest pending operation on a charge.', () =>
    oldestPendingAge(deps.pool),
  )
  observe('charges_pending_too_long', 'Charges with an operation that has been pending for too long.', () =>
    countPendingTooLong(deps.pool, pendingTooLongBefore(deps.rules)),
  )
  observe(
    'charges_uncompared_oldest_age_seconds',
    'How long the oldest charge has waited to be compared with the acquirer’s records.',
    () => oldestComparisonAge(deps.pool),
  )
  observeDisputes(deps.pool)
  return [
    startRelay(deps.pool, deps.eventLog, failed('relay')),
    startResolver(deps),
    repeat(() => expireAuthorizations(deps), EXPIRE_EVERY_MS, failed('expiring')),
    repeat(() => lookAgain(deps), LOOK_EVERY_MS, failed('looking again')),
    repeat(() => compareBooks(deps), COMPARE_EVERY_MS, failed('comparing')),
    repeat(() => askDisputes(deps), DISPUTES_EVERY_MS, failed('asking for disputes')),
    startAnswers(deps),
    repeat(() => passDeadlines(deps), DEADLINES_EVERY_MS, failed('passing deadlines of disputes')),
    repeat(() => foldDayChanges(deps.pool), FOLD_EVERY_MS, failed('summing of days')),
    repeat(() => dropAbandoned(deps.pool), FORGET_EVERY_MS, failed('dropping files')),
    repeat(() => forgetMarks(deps.pool), FORGET_EVERY_MS, failed('forgetting')),
  ]
}
