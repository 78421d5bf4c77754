import { notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  Delivery,
  DeliveryStatus,
  NotifierService,
  SigningSecret,
  type DeliveryRequest,
  type GetSigningSecretRequest,
  type ListDeliveriesRequest,
} from '@cofre/proto/notifier/v1/notifier'
import type { Marks } from './memory-marks'
import { createSmallEndpoints } from './small-endpoints'

/** A signing secret for each seller, and the deliveries that a test gives it, in memory. */
export function createSmallNotifier(marks: Marks) {
  const rotations = new Map<number, number>()
  const deliveries: (Delivery & { sellerId: number })[] = []
  const secretOf = (sellerId: number) => ({
    secret: `whsec_${Buffer.from(`seller ${sellerId}, secret ${rotations.get(sellerId) ?? 0}`).toString('base64')}`,
  })
  const find = ({ sellerId, deliveryId }: DeliveryRequest) => {
    const found = deliveries.find((each) => each.id === deliveryId && each.sellerId === sellerId)
    if (!found) throw notFound('There is no such delivery.')
    return found
  }
  const { handlers: ofEndpoints, endpoints } = createSmallEndpoints(marks)
  const handlers = {
    ...ofEndpoints,
    getSigningSecret: async ({ sellerId }: GetSigningSecretRequest) => secretOf(sellerId),
    rotateSigningSecret: async ({ sellerId }: GetSigningSecretRequest) =>
      marks.once(sellerId, SigningSecret, () => {
        rotations.set(sellerId, (rotations.get(sellerId) ?? 0) + 1)
        return secretOf(sellerId)
      }),
    listDeliveries: async ({ sellerId, statuses, page, size }: ListDeliveriesRequest) => {
      const found = deliveries
        .filter((each) => each.sellerId === sellerId)
        .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
      return { deliveries: found.slice(page * size, (page + 1) * size), total: found.length }
    },
    getDelivery: async (request: DeliveryRequest) => ({
      delivery: find(request),
      body: '{"id":"evt_1"}',
      attempts: [
        { number: 1, at: 1, durationMs: 15_000, status: undefined, error: 'timeout', response: undefined },
        { number: 2, at: 2, durationMs: 9, status: 500, error: undefined, response: 'sorry' },
      ],
    }),
    resendDelivery: async (request: DeliveryRequest) =>
      marks.once(request.sellerId, Delivery, () => {
        const found = find(request)
        found.status = DeliveryStatus.PENDING
        found.attempts += 1
        return found
      }),
  }
  const service = (log: Logger): ServedService => standIn(log, NotifierService, handlers)
  return { service, deliveries, endpoints }
}
