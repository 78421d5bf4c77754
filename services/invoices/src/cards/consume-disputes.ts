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
import { findByCharges, type TransactionKey } from '../invoice/store/transaction-store'
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
  const take = (events: readonly LogEvent[]) => takeEvents(deps, events.filter(isOfDispute))
  return deps.eventLog.subscribe(GROUP, TOPICS.disputes, (event) => take([event]), take)
}

function isOfDispute({ type }: LogEvent): boolean {
  return type.startsWith('dispute.')
}

/** Asks once for all events which charges belong to an invoice. */
async function takeEvents(deps: Deps, events: readonly LogEvent[]): Promise<void> {
  const read = events.map((event) => ({ event, told: readEvent(event, toldOf) }))
  const keyOf = await findByCharges(
    deps.pool,
    read.flatMap(({ told: { dispute } }) => chargeOf(dispute) ?? []),
  )
  for (const { event, told } of read) {
    const charge = chargeOf(told.dispute)
    const key = charge && keyOf(charge)
    const isForUsers = deps.mailer !== undefined && NOTICED.has(event.type)
    // The news of the charge itself may come later than its dispute. Most charges belong to no invoice.
    const paid = key && charge ? { key, chargeId: charge.id } : undefined
    if (!paid && !isForUsers) continue
    await handleEvent(event, TIMEOUT_MS, () => takeEvent(deps, event, { told, paid, isForUsers }))
  }
}

function chargeOf({ sellerId, chargeId }: Dispute): { sellerId: number; id: number } | undefined {
  return chargeId === undefined ? undefined : { sellerId, id: chargeId }
}

type News = {
  told: ToldDispute
  /** The attempt to pay an invoice that is disputed, and its charge. */
  paid: { key: TransactionKey; chargeId: number } | undefined
  isForUsers: boolean
}

async function takeEvent(deps: Deps, event: LogEvent, { told, paid, isForUsers }: News): Promise<void> {
  const { pool, rules } = deps
  const { sellerId } = told.dispute
  const outcome = paid && (await deps.orders.read(sellerId, paid.chargeId))
  await handleOnce(pool, GROUP, event.id, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.resolveFirstMs, isAnswered: false }
    if (paid && outcome) await recordOutcome(deps, tx, paid.key, outcome, moment)
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
