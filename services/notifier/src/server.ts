import { serve, type ServedService } from '@cofre/platform/grpc-server'
import { idempotencyService } from '@cofre/platform/idempotency-server'
import {
  NotifierService,
  type DeliveryRequest,
  type GetSigningSecretRequest,
  type ListDeliveriesRequest,
} from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from './deps'
import { getDelivery } from './rpc/get-delivery'
import { getSigningSecret } from './rpc/get-signing-secret'
import { listDeliveries } from './rpc/list-deliveries'
import { resendDelivery } from './rpc/resend-delivery'
import { rotateSigningSecret } from './rpc/rotate-signing-secret'

export function notifierServices(deps: Deps): ServedService[] {
  const notifier = serve(
    deps.log,
    NotifierService,
    {
      getSigningSecret: ['gateway'],
      rotateSigningSecret: ['gateway'],
      listDeliveries: ['gateway'],
      getDelivery: ['gateway'],
      resendDelivery: ['gateway'],
    },
    {
      getSigningSecret: (request: GetSigningSecretRequest) => getSigningSecret(deps, request),
      rotateSigningSecret: (request: GetSigningSecretRequest) => rotateSigningSecret(deps, request),
      listDeliveries: (request: ListDeliveriesRequest) => listDeliveries(deps, request),
      getDelivery: (request: DeliveryRequest) => getDelivery(deps, request),
      resendDelivery: (request: DeliveryRequest) => resendDelivery(deps, request),
    },
  )
  return [notifier, idempotencyService(deps.log, deps.pool)]
}
