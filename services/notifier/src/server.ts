import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import {
  NotifierService,
  type CreateEndpointRequest,
  type DeliveryRequest,
  type EndpointRequest,
  type GetSigningSecretRequest,
  type ListDeliveriesRequest,
  type ListEndpointsRequest,
  type RecoverEndpointRequest,
  type ReplaceEndpointRequest,
} from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from './deps'
import { createEndpoint } from './rpc/create-endpoint'
import { deleteEndpoint } from './rpc/delete-endpoint'
import { enableEndpoint } from './rpc/enable-endpoint'
import { getDelivery } from './rpc/get-delivery'
import { getEndpoint } from './rpc/get-endpoint'
import { getSigningSecret } from './rpc/get-signing-secret'
import { listDeliveries } from './rpc/list-deliveries'
import { listEndpoints } from './rpc/list-endpoints'
import { pingEndpoint } from './rpc/ping-endpoint'
import { recoverEndpoint } from './rpc/recover-endpoint'
import { replaceEndpoint } from './rpc/replace-endpoint'
import { resendDelivery } from './rpc/resend-delivery'
import { rotateEndpointSecret } from './rpc/rotate-endpoint-secret'
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
      createEndpoint: ['gateway'],
      listEndpoints: ['gateway'],
      getEndpoint: ['gateway'],
      replaceEndpoint: ['gateway'],
      deleteEndpoint: ['gateway'],
      enableEndpoint: ['gateway'],
      rotateEndpointSecret: ['gateway'],
      pingEndpoint: ['gateway'],
      recoverEndpoint: ['gateway'],
    },
    {
      getSigningSecret: (request: GetSigningSecretRequest) => getSigningSecret(deps, request),
      rotateSigningSecret: (request: GetSigningSecretRequest) => rotateSigningSecret(deps, request),
      listDeliveries: (request: ListDeliveriesRequest) => listDeliveries(deps, request),
      getDelivery: (request: DeliveryRequest) => getDelivery(deps, request),
      resendDelivery: (request: DeliveryRequest) => resendDelivery(deps, request),
      createEndpoint: (request: CreateEndpointRequest) => createEndpoint(deps, request),
      listEndpoints: (request: ListEndpointsRequest) => listEndpoints(deps, request),
      getEndpoint: (request: EndpointRequest) => getEndpoint(deps, request),
      replaceEndpoint: (request: ReplaceEndpointRequest) => replaceEndpoint(deps, request),
      deleteEndpoint: (request: EndpointRequest) => deleteEndpoint(deps, request),
      enableEndpoint: (request: EndpointRequest) => enableEndpoint(deps, request),
      rotateEndpointSecret: (request: EndpointRequest) => rotateEndpointSecret(deps, request),
      pingEndpoint: (request: EndpointRequest) => pingEndpoint(deps, request),
      recoverEndpoint: (request: RecoverEndpointRequest) => recoverEndpoint(deps, request),
    },
  )
  return [notifier, idempotencyService(deps.log, deps.pool)]
}
