import { randomUUID } from 'node:crypto'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import { SendTestEventResponse, type SendTestEventRequest } from '@cofre/proto/notifier/v1/notifier'
import { currentCall, newTraceparent } from '@cofre/platform/grpc/call-context'
import { readDeliveryOf } from '../deliveries/delivery-search-store'
import { insertDeliveries } from '../deliveries/delivery-store'
import { openApart } from '../deliveries/lane-store'
import type { Deps } from '../deps'
import type { Endpoint } from '../endpoints/endpoint'
import { endpointsFor } from '../endpoints/endpoint-store'
import { lockNamed } from '../endpoints/named-endpoint'
import { keepForListeners } from '../listeners/listener-store'
import { TEST_ID } from '../secrets/signature'
import { deliveriesOf, type Notification } from '../notifications/envelope'

/** Sends a test event. A named endpoint gets it whatever types it asked for, even while it is disabled, like a ping. */
export function sendTestEvent(
  { pool, baseUrl }: Deps,
  request: SendTestEventRequest,
): Promise<Replayable<SendTestEventResponse>> {
  const { sellerId, endpointId, eventType } = request
  return withIdempotency(pool, sellerId, SendTestEventResponse, async (tx) => {
    const notification = testNotification(request, baseUrl)
    const { webhookId } = notification
    if (endpointId !== undefined) {
      await tellOne(tx, notification, await lockNamed(tx, sellerId, endpointId))
      return { webhookId, receivers: 1 }
    }
    const endpoints = (await endpointsFor(tx, sellerId, eventType)).filter(
      ({ status }) => status === 'ENABLED',
    )
    if (endpoints.length > 0) await insertDeliveries(tx, deliveriesOf(notification, endpoints))
    const kept = await keepForListeners(tx, [notification])
    return { webhookId, receivers: endpoints.length + kept }
  })
}

async function tellOne(tx: Db, notification: Notification, endpoint: Endpoint): Promise<void> {
  await insertDeliveries(tx, deliveriesOf(notification, [endpoint]))
  if (endpoint.status === 'ENABLED') return
  const { id } = await readDeliveryOf(tx, notification.webhookId, endpoint.id)
  await openApart(tx, { ...endpoint, endpoint }, id)
}

function testNotification(request: SendTestEventRequest, baseUrl: string): Notification {
  const { sellerId, eventType, resourceKind, resourceId, resourcePath, data } = request
  const now = Date.now()
  return {
    webhookId: `${TEST_ID}${randomUUID().replaceAll('-', '')}`,
    isTest: true,
    sellerId,
    eventType,
    resourceKind,
    resourceId,
    resourceUrl: `${baseUrl}${resourcePath}`,
    sequence: now,
    traceparent: currentCall()?.traceparent ?? newTraceparent(),
    createdAt: now,
    data: JSON.parse(data) as object,
  }
}
