import { TOPICS } from '@cofre/api/events'
import type { EventLog, LogEvent, Subscription } from '@cofre/platform/events/event-log'
import { handleEvent, observeLag } from '@cofre/platform/events/handle-event'
import { handleOnce } from '@cofre/platform/events/inbox'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { keepKey } from '../pix/store/pix-account-store'
import { readEvent } from './read-event'
import { recordOutcome } from './record-outcome'
import { findByCharge } from '../invoice/store/transaction-store'
import { insertCardDeclines } from './store/card-decline-store'

const GROUP = 'invoices'
const TIMEOUT_MS = 10_000

/**
 * Follows the charges that pay invoices: pending payments are resolved, and refunds show. An event is a hint: the
 * outcome is what the orders service answers, so that nobody pays an invoice by writing to the event log.
 */
export function consumeCharges(deps: Deps & { eventLog: EventLog }): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, TOPICS.orders)
  return deps.eventLog.subscribe(GROUP, TOPICS.orders, async (event) => {
    if (!event.type.startsWith('charge.')) return
    await handleEvent(event, TIMEOUT_MS, () => takeEvent(deps, event))
  })
}

async function takeEvent(deps: Deps, event: LogEvent): Promise<void> {
  const { pool, rules } = deps
  const charge = readEvent(event, (value) => ChargeEvent.fromJSON(value).charge)
  const key = await findByCharge(pool, charge.sellerId, charge.id)
  if (!key) return takeOther(deps, event, charge)
  const outcome = await deps.orders.read(key.sellerId, charge.id)
  await handleOnce(pool, GROUP, event.id, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.resolveFirstMs, isAnswered: false }
    await recordOutcome(deps, tx, key, outcome, moment)
  })
}

/**
 * Most charges belong to no invoice; their events are not even marked. Declines of kept cards count for all payments.
 * The bank reports money for the Pix key of an order to us.
 */
async function takeOther({ pool, pix }: Deps, event: LogEvent, charge: Charge): Promise<void> {
  if (event.type === 'charge.pending' && charge.payments.some((payment) => payment.pix)) {
    const { sellerId } = charge
    const account = await pix.accounts.find(sellerId)
    if (account === undefined) return
    await handleOnce(pool, GROUP, event.id, (tx) => keepKey(tx, { account, sellerId, at: now() }))
    return
  }
  const isSellers = charge.requestId !== undefined
  const isCounted = charge.payments.some(({ credential, decline }) => credential && decline)
  if (!isSellers || !isCounted) return
  await handleOnce(pool, GROUP, event.id, (tx) => insertCardDeclines(tx, charge))
}
