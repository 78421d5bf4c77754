import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { NotifierService } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from './deps'
import { createEndpoint } from './rpc/create-endpoint'
import { createListener } from './rpc/create-listener'
import { deleteEndpoint } from './rpc/delete-endpoint'
import { deleteListener } from './rpc/delete-listener'
import { enableEndpoint } from './rpc/enable-endpoint'
import { getDelivery } from './rpc/get-delivery'
import { getEvent } from './rpc/get-event'
import { getEndpoint } from './rpc/get-endpoint'
import { getEndpointHealth } from './rpc/get-endpoint-health'
import { getSigningSecret } from './rpc/get-signing-secret'
import { listDeliveries } from './rpc/list-deliveries'
import { listEndpoints } from './rpc/list-endpoints'
import { listEvents } from './rpc/list-events'
import { pingEndpoint } from './rpc/ping-endpoint'
import { readListener } from './rpc/read-listener'
import { recoverEndpoint } from './rpc/recover-endpoint'
import { replaceEndpoint } from './rpc/replace-endpoint'
import { resendDelivery } from './rpc/resend-delivery'
import { resendEvent } from './rpc/resend-event'
import { rotateEndpointSecret } from './rpc/rotate-endpoint-secret'
import { rotateSigningSecret } from './rpc/rotate-signing-secret'
import { sendTestEvent } from './rpc/send-test-event'
import { acknowledgeDisabling } from './rpc/acknowledge-disabling'
import { takeDisablings } from './rpc/take-disablings'

const GATEWAY = ['gateway'] as const

/** Each RPC: who may call it, by certificate name, and the function that answers. */
export function notifierServices(deps: Deps): ServedService[] {
  const notifier = serve(deps, NotifierService, {
    getSigningSecret: [GATEWAY, getSigningSecret],
    rotateSigningSecret: [GATEWAY, rotateSigningSecret],
    listDeliveries: [GATEWAY, listDeliveries],
    getDelivery: [GATEWAY, getDelivery],
    resendDelivery: [GATEWAY, resendDelivery],
    listEvents: [GATEWAY, listEvents],
    getEvent: [GATEWAY, getEvent],
    resendEvent: [GATEWAY, resendEvent],
    createEndpoint: [GATEWAY, createEndpoint],
    listEndpoints: [GATEWAY, listEndpoints],
    getEndpoint: [GATEWAY, getEndpoint],
    replaceEndpoint: [GATEWAY, replaceEndpoint],
    deleteEndpoint: [GATEWAY, deleteEndpoint],
    enableEndpoint: [GATEWAY, enableEndpoint],
    rotateEndpointSecret: [GATEWAY, rotateEndpointSecret],
    pingEndpoint: [GATEWAY, pingEndpoint],
    recoverEndpoint: [GATEWAY, recoverEndpoint],
    takeDisablings: [GATEWAY, takeDisablings],
    acknowledgeDisabling: [GATEWAY, acknowledgeDisabling],
    getEndpointHealth: [GATEWAY, getEndpointHealth],
    sendTestEvent: [GATEWAY, sendTestEvent],
    createListener: [GATEWAY, createListener],
    readListener: [GATEWAY, readListener],
    deleteListener: [GATEWAY, deleteListener],
  })
  return [notifier, idempotencyService(deps)]
}
