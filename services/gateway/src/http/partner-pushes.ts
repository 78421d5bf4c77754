import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler } from 'express'
import type { Deps } from '../deps'
import { takeSignedPush } from './signed-push'

export const TOKEN_SERVICE_PUSHES = '/partners/token-service/events'
export const BANK_NOTICES = '/partners/bank/events'

/** What the token service tells of network tokens. */
export function takeTokenServicePush(deps: Deps): RequestHandler {
  const { networkTokens } = deps.services
  return takeSignedPush(deps, (push) => callRpc(networkTokens, networkTokens.takePush, push))
}

/** What the bank tells of money that came in. Where nobody listens to the bank: 404. */
export function takeBankNotice(deps: Deps): RequestHandler {
  const { boletos } = deps.services
  return takeSignedPush(deps, (push) => callRpc(boletos, boletos.takeBankNotice, push))
}
