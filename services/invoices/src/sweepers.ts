import { forgetHandled } from '@cofre/platform/events/inbox'
import { observeOutbox, startRelay } from '@cofre/platform/events/outbox'
import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { foldDayChanges } from '@cofre/platform/postgres/day-sums-store'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { repeat } from '@cofre/platform/service/lifecycle'
import type { Running } from '@cofre/platform/service/run-service'
import { observe } from '@cofre/platform/telemetry/metrics'
import { now } from './clock/billing-clock'
import { consumeCharges } from './cards/consume-charges'
import { consumeDisputes } from './cards/consume-disputes'
import type { SweeperDeps } from './deps'
import { oldestDueChargeAge } from './dunning/automatic-charge-store'
import { oldestHeldNoticeAge } from './dunning/late-notice-store'
import { BANK_AWAITED_MS } from './dunning/tell-late'
import { forgetEmails, waitingEmails } from './letters/queue/email-store'
import { dayOf } from '@cofre/platform/calendar-day'
import { oldestUnnotifiedAge } from './invoice/store/past-due-store'
import { BOLETOS } from './boletos/store/boleto-store'
import { oldestRefundAge } from './pix/store/pix-refund-store'
import { PIX_CHARGES } from './pix/store/pix-store'
import { oldestPermissionAge } from './pix/automatic/permission-store'
import { countUnexpected } from './money/receipt-store'
import { startLookingAtKeys } from './money/look-at-pix-keys'
import { LOOKS } from './money/looks'
import { startLookingAtRefunds } from './money/pix-refunds/look-at-refunds'
import { countRefused } from './cards/store/refused-refund-store'
import { oldestPendingAge } from './invoice/store/transaction-store'
import { forgetChallenges } from './cards/three-d-secure/challenge-store'
import { destroyDiscarded, discardForgotten } from './cards/destroy-discarded'
import { mayRun, observeCycles, startBilling } from './recurring/billing/run-billing'
import { startLookingAtPermissions } from './recurring/pix-automatic/advance-permission'
import { startSendingEmails } from './letters/send-emails'
import { startSendingUserLetters } from './letters/send-user-letters'
import { startResolvingChallenges } from './cards/three-d-secure/resolve-challenges'
import { startResolver } from './cards/resolve-payments'
import { forgetUserLetters, oldestUserLetterAge } from './letters/users/user-letter-store'
import { forgetCardDeclines } from './cards/store/card-decline-store'
import { compareBooks } from './books/compare-books'
import { oldestComparisonAge } from './books/comparison-store'

const DESTROY_EVERY_MS = 5_000
const COMPARE_EVERY_MS = 5_000
const FOLD_EVERY_MS = 1_000
const FORGET_EVERY_MS = 600_000

/** Starts the sweepers and the consumer, each in any number of replicas at once. */
export async function startSweepers(deps: SweeperDeps): Promise<Running[]> {
  const { pool, log, eventLog, mailer } = deps
  const failed = (what: string) => (err: unknown) => log.error({ err }, `${what} failed`)
  observeOutbox(pool)
  observe(
    'invoices_past_due_unnotified_age_seconds',
    'How late the oldest event of an invoice that became past due is.',
    () => oldestUnnotifiedAge(pool, dayOf(now())),
  )
  observe(
    'invoice_payments_pending_oldest_age_seconds',
    'Age of the oldest card payment of an invoice whose outcome is not known.',
    () => oldestPendingAge(pool, now()),
  )
  observe(
    'invoice_refunds_refused',
    'Card payments that no invoice accepts and whose refund the acquirer finally refused, up to 10,000.',
    () => countRefused(pool),
  )
  observeCycles(pool)
  observe(
    'payments_uncompared_oldest_age_seconds',
    'How long the oldest payment has waited to be compared with the records of orders and the bank.',
    () => oldestComparisonAge(pool, now()),
  )
  observe('automatic_charges_due_oldest_age_seconds', 'How late the oldest automatic card charge is.', () =>
    oldestDueChargeAge(pool, now()),
  )
  observeEmails(pool)
  observeBoletos(pool)
  observePix(pool)
  return [
    await consumeCharges(deps),
    await consumeDisputes(deps),
    startResolver(deps),
    repeat(() => destroyDiscarded(deps), DESTROY_EVERY_MS, failed('destroying')),
    repeat(() => discardForgotten(deps), DESTROY_EVERY_MS, failed('discarding')),
    startResolvingChallenges(deps),
    repeat(() => compareBooks(deps), COMPARE_EVERY_MS, failed('comparing of books')),
    startRelay(pool, eventLog, failed('relay')),
    ...startBilling(deps),
    repeat(() => foldDayChanges(pool), FOLD_EVERY_MS, failed('summing of days')),
    repeat(() => forgetMarks(pool), FORGET_EVERY_MS, failed('forgetting')),
    repeat(() => forgetHandled(pool), FORGET_EVERY_MS, failed('forgetting events')),
    repeat(() => forgetCardDeclines(pool), FORGET_EVERY_MS, failed('forgetting declines')),
    repeat(() => forgetChallenges(pool), FORGET_EVERY_MS, failed('forgetting challenges')),
    repeat(() => forgetEmails(pool), FORGET_EVERY_MS, failed('forgetting e-mails')),
    repeat(() => forgetUserLetters(pool), FORGET_EVERY_MS, failed('forgetting e-mails to users')),
    ...Object.values(LOOKS).map((look) => look.start(deps)),
    startLookingAtKeys(deps),
    startLookingAtRefunds(deps),
    startLookingAtPermissions(deps),
    ...(mailer
      ? [
          startSendingEmails({ ...deps, mailer }, () => mayRun(deps)),
          startSendingUserLetters({ ...deps, mailer }),
        ]
      : []),
  ]
}

function observeEmails(pool: Pool): void {
  observe('emails_waiting', 'E-mails not sent yet, up to 10,000.', async () => {
    const { count } = await waitingEmails(pool)
    return count
  })
  observe(
    'emails_waiting_oldest_age_seconds',
    'How long the oldest e-mail has waited to be sent.',
    async () => {
      const { oldestSeconds } = await waitingEmails(pool)
      return Math.max(oldestSeconds, await oldestUserLetterAge(pool))
    },
  )
}

function observePix(pool: Pool): void {
  observe(
    'pix_pending_oldest_age_seconds',
    'Age of the oldest Pix charge whose registration or withdrawal the bank has not confirmed.',
    () => PIX_CHARGES.oldestPendingAge(pool, now()),
  )
  observe(
    'pix_permissions_pending_oldest_age_seconds',
    'Age of the oldest Pix Automático permission that the bank has yet to make or end.',
    () => oldestPermissionAge(pool, now()),
  )
  observe(
    'pix_refunds_pending_oldest_age_seconds',
    'Age of the oldest refund of a Pix whose end the bank has not reported.',
    () => oldestRefundAge(pool, now()),
  )
  observe(
    'pix_without_account',
    'Pix charges that Cofre cannot query, because their sellers have no account at the bank, up to 10,000.',
    () => PIX_CHARGES.countWithoutAccount(pool),
  )
}

function observeBoletos(pool: Pool): void {
  observe(
    'boletos_pending_oldest_age_seconds',
    'Age of the oldest boleto whose registration or withdrawal the bank has not confirmed.',
    () => BOLETOS.oldestPendingAge(pool, now()),
  )
  observe(
    'late_notices_held_oldest_age_seconds',
    'How long the oldest notice of a late invoice has been held beyond its time, since the bank does not answer.',
    () => oldestHeldNoticeAge(pool, now(), BANK_AWAITED_MS),
  )
  observe(
    'boletos_without_account',
    'Boletos that Cofre cannot query, because their sellers have no account at the bank, up to 10,000.',
    () => BOLETOS.countWithoutAccount(pool),
  )
  observe('unexpected_receipts_waiting', 'Unresolved receipts that no invoice accepted, up to 10,000.', () =>
    countUnexpected(pool),
  )
}
