import { TOPICS } from '@cofre/api/events'
import {
  UnreadableEvent,
  type EventLog,
  type LogEvent,
  type Subscription,
} from '@cofre/platform/events/event-log'
import { handleEvent, observeLag } from '@cofre/platform/events/handle-event'
import { handleOnce } from '@cofre/platform/events/inbox'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import type { CardOutcome } from '../invoice/card-payment'
import { outcomeOf } from '../payments/orders'
import { recordOutcome } from '../payments/record-outcome'
import { findByCharge } from '../payment-store/transaction-store'

const GROUP = 'invoices'
const TIMEOUT_MS = 10_000

/** Follows the charges that pay invoices: pending payments settle, and refunds show. */
export function consumeCharges(deps: Deps & { eventLog: EventLog }): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, TOPICS.orders)
  return deps.eventLog.subscribe(GROUP, TOPICS.orders, async (event) => {
    if (!event.type.startsWith('charge.')) return
    await handleEvent(event, TIMEOUT_MS, () => takeEvent(deps, event))
  })
}

async function takeEvent({ pool, rules }: Deps, event: LogEvent): Promise<void> {
  const charge = readEvent(event)
  // Most charges belong to no invoice; their events are not even marked.
  const key = await findByCharge(pool, charge.sellerId, charge.id)
  if (!key) return
  await handleOnce(pool, GROUP, event.id, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.settleFirstMs, isAnswered: false, dunningDays: rules.dunningDays }
    await recordOutcome(tx, key, toldOutcome(charge), moment)
  })
}

/** The outcome in an event, which may be out of date: whether a charge is refunded is decided after asking orders. */
function toldOutcome(charge: Charge): CardOutcome {
  const outcome = outcomeOf(charge)
  return outcome.result === 'held' ? { result: 'pending', chargeId: charge.id } : outcome
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function readEvent(event: LogEvent): Charge {
  if (!UUID.test(event.id)) throw new UnreadableEvent('the event id is not a UUID')
  try {
    const { charge } = ChargeEvent.fromJSON(JSON.parse(event.value))
    if (charge) return charge
  } catch (error) {
    // The message of a syntax error quotes the text that it could not read, so only the kind of the error is reported.
    throw new UnreadableEvent(error instanceof Error ? error.name : 'unknown')
  }
  throw new UnreadableEvent('the event has no charge')
}
