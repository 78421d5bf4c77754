import type { Pool } from '@cofre/platform/postgres/postgres'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { observe } from '@cofre/platform/telemetry/metrics'
import { oldestAccountAge } from '../dispute-store/account-store'
import { countDueTomorrow, oldestAnswerAge } from '../dispute-store/dispute-age-store'

/** Exports what people must see of disputes before money is lost by a day that passes. */
export function observeDisputes(pool: Pool): void {
  observe(
    'disputes_unasked_oldest_age_seconds',
    'For how long the account that waits longest has not had all its disputes read.',
    () => oldestAccountAge(pool, databaseNow()),
  )
  observe(
    'dispute_answers_oldest_age_seconds',
    'Age of the oldest answer to a dispute of which it is not known whether the acquirer has it.',
    () => oldestAnswerAge(pool),
  )
  observe('disputes_due_tomorrow', 'Disputes without an answer whose last day is tomorrow or today.', () =>
    countDueTomorrow(pool),
  )
}
