import { TOPICS } from '@cofre/api/events'
import type { EventLog, LogEvent, Subscription } from '@cofre/platform/events/event-log'
import { handleEvent, observeLag } from '@cofre/platform/events/handle-event'
import { handleOnce } from '@cofre/platform/events/inbox'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { DisputeStatus, type Dispute } from '@cofre/proto/orders/v1/disputes'
import { DisputeEvent } from '@cofre/proto/orders/v1/events'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { findByCharge } from '../invoice/store/transaction-store'
import { readEvent } from './read-event'
import { insertDisputeNotice } from '../letters/users/dispute-notice-store'
import type { DisputeFacts } from '../letters/users/user-letter-store'
import { recordDispute, type ToldDispute } from './record-dispute'
import { recordOutcome } from './record-outcome'

const GROUP = 'invoices'
const TIMEOUT_MS = 10_000

/**
 * Follows disputes of the charges that pay invoices: what a card's holder takes back, and what comes again, is in the
 * journal. An event pays no invoice, so that it is believed; the comparison of books finds one that was not true.
 */
export function consumeDisputes(deps: Deps & { eventLog: EventLog }): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, TOPICS.disputes)
  return deps.eventLog.subscribe(GROUP, TOPICS.disputes, async (event) => {
    if (!event.type.startsWith('dispute.')) return
    await handleEvent(event, TIMEOUT_MS, () => takeEvent(deps, event))
  })
}

async function takeEvent(deps: Deps, event: LogEvent): Promise<void> {
  const { pool, rules } = deps
  const told = readEvent(event, toldOf)
  const { sellerId, chargeId } = told.dispute
  const key = chargeId === undefined ? undefined : await findByCharge(pool, sellerId, chargeId)
  // The news of the charge itself may come later than its dispute. Most charges belong to no invoice.
  const paid =
    key && chargeId !== undefined ? { key, outcome: await deps.orders.read(sellerId, chargeId) } : undefined
  const isForUsers = deps.mailer !== undefined && NOTICED.has(event.type)
  if (!paid && !isForUsers) return
  await handleOnce(pool, GROUP, event.id, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.resolveFirstMs, isAnswered: false }
    if (paid) await recordOutcome(deps, tx, paid.key, paid.outcome, moment)
    const invoice = paid && (await recordDispute(deps, tx, paid.key, told, at))
    const facts = noticeOf(told.dispute, { invoice, isReminder: event.type !== OPENED })
    if (isForUsers) await insertDisputeNotice(tx, sellerId, facts, databaseNow())
  })
}

const OPENED = 'dispute.opened'
/** The events that the users of the seller get a letter about. */
const NOTICED = new Set([OPENED, 'dispute.response_due'])

function noticeOf(
  dispute: Dispute,
  { invoice, isReminder }: { invoice: WholeInvoice | undefined; isReminder: boolean },
): DisputeFacts {
  const { brand, lastFour, reason } = dispute
  return {
    about: 'dispute',
    isReminder,
    disputeId: dispute.id,
    chargeId: dispute.chargeId ?? null,
    amount: dispute.amount,
    withdrawn: dispute.withdrawnAmount > 0,
    needsResponse: dispute.status === DisputeStatus.NEEDS_RESPONSE,
    respondBy: dispute.respondBy,
    customer: invoice?.customer.name ?? '',
    invoiceNumber: invoice?.invoiceNumber ?? '',
    orderReference: dispute.orderReference ?? '',
    card: lastFour && `${brand} •••• ${lastFour}`.trim(),
    reason: [reason?.code, reason?.text].filter(Boolean).join(' · '),
  }
}

function toldOf(value: unknown): ToldDispute | undefined {
  const { dispute, sequence, occurredAt } = DisputeEvent.fromJSON(value)
  return dispute && { dispute, sequence, occurredAt }
}
