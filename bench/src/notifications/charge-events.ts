import { randomUUID } from 'node:crypto'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { Charge, ChargeStatus } from '@cofre/proto/orders/v1/orders'

export type ChargeTold = { sellerId: number; chargeId: number; sequence?: number; url?: string }

/** Returns an event of a charge of usual size, as orders publishes it. `url` is its notificationUrl. */
export function chargeEvent({ sellerId, chargeId, sequence = 1, url = '' }: ChargeTold): LogEvent {
  const now = Date.now()
  const charge = Charge.fromPartial({
    id: chargeId,
    sellerId,
    status: ChargeStatus.CAPTURED,
    amount: 10_000,
    authorizedAmount: 10_000,
    capturedAmount: 10_000,
    orderReference: `order-${chargeId}`,
    metadata: { cart: `cart-${chargeId}`, channel: 'store' },
    createdAt: now,
    updatedAt: now,
  })
  const event = ChargeEvent.fromPartial({ charge, sequence, occurredAt: now, notificationUrl: url })
  const value = JSON.stringify(ChargeEvent.toJSON(event))
  const key = String(chargeId)
  return { id: randomUUID(), type: 'charge.captured', key, sellerId, traceparent: newTraceparent(), value }
}

/** Returns the `webhook-id` of an event. */
export function webhookIdOf({ id }: LogEvent): string {
  return `evt_${id.replaceAll('-', '')}`
}

const OF_A_CHARGE = 4
const CHARGES_AT_ONCE = 250

/**
 * Yields `count` events of a seller, in batches to publish one after another. Each charge has four events in order,
 * between those of 249 other charges.
 */
export function* eventsOfCharges(sellerId: number, count: number): Generator<LogEvent[]> {
  for (let made = 0; made < count;) {
    const firstId = 1 + Math.floor(made / OF_A_CHARGE)
    const batch: LogEvent[] = []
    for (let sequence = 1; sequence <= OF_A_CHARGE; sequence++) {
      for (let charge = 0; charge < CHARGES_AT_ONCE && made < count; charge++, made++)
        batch.push(chargeEvent({ sellerId, chargeId: firstId + charge, sequence }))
    }
    yield batch
  }
}
