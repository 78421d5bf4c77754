import { randomUUID } from 'node:crypto'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { Charge, ChargeStatus } from '@cofre/proto/orders/v1/orders'

let lastChargeId = 0
/** A charge id that no other test of the file uses. */
export function newChargeId(): number {
  return (lastChargeId += 1)
}

type Options = {
  chargeId: number
  url: string
  sequence?: number
  type?: string
  sellerId?: number
  id?: string
}

/** An event as the orders service publishes it. */
export function chargeEvent({
  chargeId,
  url,
  sequence = 1,
  type = 'charge.captured',
  sellerId = 9,
  id = randomUUID(),
}: Options): LogEvent {
  const charge = Charge.fromPartial({
    id: chargeId,
    sellerId,
    status: ChargeStatus.CAPTURED,
    amount: 10_000,
    authorizedAmount: 10_000,
    capturedAmount: 10_000,
    metadata: { cart: 'ação ✓' },
    createdAt: 1_767_225_600_000,
    updatedAt: 1_767_225_600_000,
  })
  const event = ChargeEvent.fromPartial({
    charge,
    sequence,
    occurredAt: 1_767_225_600_123,
    notificationUrl: url,
  })
  const value = JSON.stringify(ChargeEvent.toJSON(event))
  return { id, type, key: String(chargeId), sellerId, traceparent: newTraceparent(), value }
}
