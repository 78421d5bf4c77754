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

/** Adopts what becomes of the charges by which invoices are paid: what was pending settles, and refunds show. */
export function consumeCharges(deps: Deps & { eventLog: EventLog }): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, TOPICS.orders)
  return deps.eventLog.subscribe(GROUP, TOPICS.orders, async (event) => {
    if (!event.type.startsWith('charge.')) return
    await handleEvent(event, TIMEOUT_MS, () => takeEvent(deps, event))
  })
}

async function takeEvent({ pool, rules }: Deps, event: LogEvent): Promise<void> {
  const charge = readEvent(event)
  // Most charges are of no invoice; for them the event is not even marked.
  const key = await findByCharge(pool, charge.sellerId, charge.id)
  if (!key) return
  await handleOnce(pool, GROUP, event.id, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.settleFirstMs, isAnswered: false, dunningDays: rules.dunningDays }
    await recordOutcome(tx, key, toldOutcome(charge), moment)
  })
}

/** What an event tells may be over: whether a charge is given back is decided once the orders service is asked. */
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
    // The message of a syntax error quotes what it could not read, so only the kind of the error is told.
    throw new UnreadableEvent(error instanceof Error ? error.name : 'unknown')
  }
  throw new UnreadableEvent('the event has no charge')
}
