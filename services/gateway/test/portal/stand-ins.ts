import { randomBytes } from 'node:crypto'
import { notFound, unavailable } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import { NotifierService, type GetSigningSecretRequest } from '@cofre/proto/notifier/v1/notifier'
import {
  OrdersService,
  type Charge,
  type GetChargeRequest,
  type ListChargesRequest,
} from '@cofre/proto/orders/v1/orders'

/** What the services behind the gateway hold. */
export type Behind = { charges: Charge[]; secrets: Map<number, string>; down: boolean }

/** Orders and notifier as small as the portal needs them; what it must not call is refused. */
export function standIns(log: Logger, behind: Behind): ServedService[] {
  const answer = <T>(value: () => T): Promise<T> =>
    behind.down ? Promise.reject(unavailable('Down.', 3)) : Promise.resolve().then(value)
  const charges = {
    getCharge: ({ sellerId, chargeId }: GetChargeRequest) =>
      answer(() => {
        const found = behind.charges.find((one) => one.id === chargeId && one.sellerId === sellerId)
        if (!found) throw notFound('There is no such charge.')
        return found
      }),
    listCharges: (request: ListChargesRequest) => answer(() => listCharges(behind.charges, request)),
  }
  const rotate = (sellerId: number) => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`
    behind.secrets.set(sellerId, secret)
    return { secret }
  }
  const secrets = {
    getSigningSecret: ({ sellerId }: GetSigningSecretRequest) =>
      answer(() => {
        const secret = behind.secrets.get(sellerId)
        return secret ? { secret } : rotate(sellerId)
      }),
    rotateSigningSecret: ({ sellerId }: GetSigningSecretRequest) => answer(() => rotate(sellerId)),
  }
  return [standIn(log, OrdersService, charges), standIn(log, NotifierService, secrets)]
}

function listCharges(all: Charge[], request: ListChargesRequest) {
  const found = all
    .filter((one) => one.sellerId === request.sellerId)
    .filter((one) => request.statuses.length === 0 || request.statuses.includes(one.status))
    .filter((one) => request.orderReference === undefined || one.orderReference === request.orderReference)
    .sort((one, other) => other.createdAt - one.createdAt)
  const from = request.page * request.size
  return { charges: found.slice(from, from + request.size), total: found.length }
}
