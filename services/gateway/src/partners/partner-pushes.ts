import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler } from 'express'
import type { Deps } from '../deps'
import { takeSignedPush } from './signed-push'

export const TOKEN_SERVICE_PUSHES = '/partners/token-service/events'
export const BANK_NOTICES = '/partners/bank/events'

/** Takes the token service's notifications about network tokens. */
export function takeTokenServicePush(deps: Deps): RequestHandler {
  const { networkTokens } = deps.services
  return takeSignedPush(deps, (push) => callRpc(networkTokens, networkTokens.takePush, push))
}

/** Takes the bank's notifications about money received. Answers 404 where nobody listens to the bank. */
export function takeBankNotice(deps: Deps): RequestHandler {
  const { boletos } = deps.services
  return takeSignedPush(deps, (push) => callRpc(boletos, boletos.takeBankNotice, push))
}
