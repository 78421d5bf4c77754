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
import { findByCharges, type TransactionKey } from '../invoice/store/transaction-store'
import { insertCardDeclines } from './store/card-decline-store'

const GROUP = 'invoices'
const TIMEOUT_MS = 10_000

/**
 * Follows the charges that pay invoices: pending payments are resolved, and refunds show. An event is a hint: the
 * outcome is what the orders service answers, so that nobody pays an invoice by writing to the event log.
 */
export function consumeCharges(deps: Deps & { eventLog: EventLog }): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, TOPICS.orders)
  const take = (events: readonly LogEvent[]) => takeEvents(deps, events.filter(isOfCharge))
  return deps.eventLog.subscribe(GROUP, TOPICS.orders, (event) => take([event]), take)
}

function isOfCharge({ type }: LogEvent): boolean {
  return type.startsWith('charge.')
}

type Told = { event: LogEvent; charge: Charge }

/** Asks once for all events which charges belong to an invoice: most belong to none, and nothing follows from them. */
async function takeEvents(deps: Deps, events: readonly LogEvent[]): Promise<void> {
  const told = events.map(readCharge)
  const keyOf = await findByCharges(
    deps.pool,
    told.map(({ charge }) => charge),
  )
  for (const each of told) {
    const key = keyOf(each.charge)
    const work = key ? () => takeOwn(deps, each, key) : otherWork(deps, each)
    if (work) await handleEvent(each.event, TIMEOUT_MS, work)
  }
}

function readCharge(event: LogEvent): Told {
  return { event, charge: readEvent(event, (value) => ChargeEvent.fromJSON(value).charge) }
}

async function takeOwn(deps: Deps, { event, charge }: Told, key: TransactionKey): Promise<void> {
  const { pool, rules } = deps
  const outcome = await deps.orders.read(key.sellerId, charge.id)
  await handleOnce(pool, GROUP, event.id, async (tx) => {
    const at = now()
    const moment = { at, askAt: at + rules.resolveFirstMs, isAnswered: false }
    await recordOutcome(deps, tx, key, outcome, moment)
  })
}

/**
 * What follows from the news of a charge that belongs to no invoice. Undefined: nothing, and its event is not even marked.
 * Declines of kept cards count for all payments. The bank reports money for the Pix key of an order to us.
 */
function otherWork({ pool, pix }: Deps, { event, charge }: Told): (() => Promise<void>) | undefined {
  const { sellerId } = charge
  if (event.type === 'charge.pending' && charge.payments.some((payment) => payment.pix)) {
    return async () => {
      const account = await pix.accounts.find(sellerId)
      if (account === undefined) return
      await handleOnce(pool, GROUP, event.id, (tx) => keepKey(tx, { account, sellerId, at: now() }))
    }
  }
  const isSellers = charge.requestId !== undefined
  const isCounted = charge.payments.some(({ credential, decline }) => credential && decline)
  if (!isSellers || !isCounted) return undefined
  return () => handleOnce(pool, GROUP, event.id, (tx) => insertCardDeclines(tx, charge))
}
