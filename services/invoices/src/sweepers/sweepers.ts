import { forgetHandled } from '@cofre/platform/events/inbox'
import { observeOutbox, relayOutbox } from '@cofre/platform/events/outbox'
import { forgetMarks } from '@cofre/platform/idempotency/mark'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { repeat } from '@cofre/platform/service/lifecycle'
import type { Running } from '@cofre/platform/service/run-service'
import { observe } from '@cofre/platform/telemetry/metrics'
import { now } from '../clock/billing-clock'
import { consumeCharges } from '../consumers/consume-charges'
import type { SweeperDeps } from '../deps'
import { oldestDueChargeAge } from '../dunning/automatic-charge-store'
import { forgetEmails, waitingEmails } from '../email/email-store'
import { dayOf } from '../invoice/calendar-day'
import { oldestUntoldAge } from '../invoice-store/past-due-store'
import { countWithoutAccount, oldestPendingBoletoAge } from '../boleto-store/boleto-store'
import { countUnexpected } from '../receipts/receipt-store'
import { startLookingAtBoletos } from './look-at-boletos'
import { countRefused } from '../payment-store/refused-refund-store'
import { oldestPendingAge } from '../payment-store/transaction-store'
import { forgetChallenges } from '../three-d-secure/challenge-store'
import { destroyDiscarded, discardForgotten } from './destroy-discarded'
import { mayRun, observeCycles, startBilling } from './run-billing'
import { startSendingEmails } from './send-emails'
import { startSendingUserLetters } from './send-user-letters'
import { startSettlingChallenges } from './settle-challenges'
import { startSettler } from './settle-payments'
import { forgetUserLetters, oldestUserLetterAge } from '../user-letters/user-letter-store'
import { compareBooks } from './compare-books'
import { oldestComparisonAge } from '../reconciliation/comparison-store'

const RELAY_EVERY_MS = 50
const DESTROY_EVERY_MS = 5_000
const COMPARE_EVERY_MS = 5_000
const FORGET_EVERY_MS = 600_000

/** Starts the sweepers and the consumer, each in any number of replicas at once. */
export async function startSweepers(deps: SweeperDeps): Promise<Running[]> {
  const { pool, log, eventLog, mailer } = deps
  const failed = (what: string) => (err: unknown) => log.error({ err }, `${what} failed`)
  observeOutbox(pool)
  observe(
    'invoices_past_due_untold_age_seconds',
    'How late the oldest event of an invoice that became past due is.',
    () => oldestUntoldAge(pool, dayOf(now())),
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
  return [
    await consumeCharges(deps),
    startSettler(deps),
    repeat(() => destroyDiscarded(deps), DESTROY_EVERY_MS, failed('destroying')),
    repeat(() => discardForgotten(deps), DESTROY_EVERY_MS, failed('discarding')),
    startSettlingChallenges(deps),
    repeat(() => compareBooks(deps), COMPARE_EVERY_MS, failed('comparing of books')),
    repeat(() => relayOutbox(pool, eventLog), RELAY_EVERY_MS, failed('relay')),
    ...startBilling(deps),
    repeat(() => forgetMarks(pool), FORGET_EVERY_MS, failed('forgetting')),
    repeat(() => forgetHandled(pool), FORGET_EVERY_MS, failed('forgetting events')),
    repeat(() => forgetChallenges(pool), FORGET_EVERY_MS, failed('forgetting challenges')),
    repeat(() => forgetEmails(pool), FORGET_EVERY_MS, failed('forgetting e-mails')),
    repeat(() => forgetUserLetters(pool), FORGET_EVERY_MS, failed('forgetting e-mails to users')),
    startLookingAtBoletos(deps),
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

function observeBoletos(pool: Pool): void {
  observe(
    'boletos_pending_oldest_age_seconds',
    'Age of the oldest boleto whose registration or withdrawal the bank has not confirmed.',
    () => oldestPendingBoletoAge(pool, now()),
  )
  observe(
    'boletos_without_account',
    'Boletos that Cofre cannot query, because their sellers have no account at the bank, up to 10,000.',
    () => countWithoutAccount(pool),
  )
  observe('unexpected_receipts_waiting', 'Unresolved receipts that no invoice accepted, up to 10,000.', () =>
    countUnexpected(pool),
  )
}
