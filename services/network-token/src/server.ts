import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import { NetworkTokensService } from '@cofre/proto/networktoken/v1/networktoken'
import type { RpcDeps } from './deps'
import { deactivateToken } from './rpc/deactivate-token'
import { describeActiveToken } from './rpc/describe-active-token'
import { findTokenOfCard } from './rpc/find-token-of-card'
import { getToken } from './rpc/get-token'
import { listTokens } from './rpc/list-tokens'
import { obtainCryptogram } from './rpc/obtain-cryptogram'
import { requestToken } from './rpc/request-token'
import { takePush } from './rpc/take-push'

const GATEWAY = ['gateway'] as const
const ORDERS = ['orders'] as const
const INVOICES = ['invoices'] as const

/** Each RPC: who may call it, by certificate name, and the function that answers. */
export function networkTokenServices(deps: RpcDeps): ServedService[] {
  const tokens = serve(deps, NetworkTokensService, {
    requestToken: [GATEWAY, requestToken],
    getToken: [GATEWAY, getToken],
    listTokens: [GATEWAY, listTokens],
    findTokenOfCard: [INVOICES, findTokenOfCard],
    deactivateToken: [GATEWAY, deactivateToken],
    describeActiveToken: [ORDERS, describeActiveToken],
    obtainCryptogram: [ORDERS, obtainCryptogram],
    takePush: [GATEWAY, takePush],
  })
  return [tokens, idempotencyService(deps)]
}
