import type { DeliveryDetail, DeliveryRequest } from '@cofre/proto/notifier/v1/notifier'
import { responsesTo } from '../deliveries/attempt-history'
import { deliveryMessage } from '../deliveries/delivery-message'
import { readDelivery } from '../deliveries/delivery-search-store'
import type { Deps } from '../deps'

export async function getDelivery(
  { pool, history, log }: Deps,
  { sellerId, deliveryId }: DeliveryRequest,
): Promise<DeliveryDetail> {
  const { delivery, body, attempts } = await readDelivery(pool, sellerId, deliveryId)
  const responses = await responsesTo({ history, log }, sellerId, deliveryId)
  return {
    delivery: deliveryMessage(delivery),
    body,
    attempts: attempts.map(({ number, at, durationMs, status, error }) => ({
      number,
      at: at.getTime(),
      durationMs,
      status: status ?? undefined,
      error: error ?? undefined,
      response: responses.get(number),
    })),
  }
}
