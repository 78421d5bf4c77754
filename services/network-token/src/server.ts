import { serve, type ServedService } from '@cofre/platform/grpc/server'
import { idempotencyService } from '@cofre/platform/idempotency/find-request'
import {
  NetworkTokensService,
  type GetTokenRequest,
  type ObtainCryptogramRequest,
  type RequestTokenRequest,
  type TakePushRequest,
} from '@cofre/proto/networktoken/v1/networktoken'
import type { Deps } from './deps'
import { deactivateToken } from './rpc/deactivate-token'
import { describeActiveToken } from './rpc/describe-active-token'
import { getToken } from './rpc/get-token'
import { obtainCryptogram } from './rpc/obtain-cryptogram'
import { requestToken } from './rpc/request-token'
import { takePush } from './rpc/take-push'
import type { Settler } from './sweepers/settler'

/** Each RPC: who may call it, by certificate name, and the function that answers. */
const CALLERS = {
  requestToken: ['gateway'],
  getToken: ['gateway'],
  deactivateToken: ['gateway'],
  describeActiveToken: ['orders'],
  obtainCryptogram: ['orders'],
  takePush: ['gateway'],
}

export function networkTokenServices(deps: Deps, settler: Settler): ServedService[] {
  const tokens = serve(deps.log, NetworkTokensService, CALLERS, {
    requestToken: (request: RequestTokenRequest) => requestToken(deps, settler, request),
    getToken: (request: GetTokenRequest) => getToken(deps, request),
    deactivateToken: (request: GetTokenRequest) => deactivateToken(deps, request),
    describeActiveToken: (request: GetTokenRequest) => describeActiveToken(deps, request),
    obtainCryptogram: (request: ObtainCryptogramRequest) => obtainCryptogram(deps, request),
    takePush: (request: TakePushRequest) => takePush(deps, settler, request),
  })
  return [tokens, idempotencyService(deps.log, deps.pool)]
}
