import { createHmac } from 'node:crypto'
import { DomainError, notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  NetworkToken,
  NetworkTokensService,
  NetworkTokenStatus,
  type GetTokenRequest,
  type RequestTokenRequest,
  type TakePushRequest,
} from '@cofre/proto/networktoken/v1/networktoken'
import type { Marks } from './memory-marks'

/** Network tokens in memory; what it was asked is in `asked` and `pushes`. */
export function createSmallNetworkTokens(marks: Marks) {
  const tokens = new Map<string, NetworkToken>()
  const asked: RequestTokenRequest[] = []
  const pushes: TakePushRequest[] = []
  const find = ({ sellerId, token }: GetTokenRequest) => {
    const found = tokens.get(token)
    if (found?.sellerId !== sellerId) throw notFound()
    return found
  }
  const request = (given: RequestTokenRequest) =>
    marks.once(given.sellerId, NetworkToken, () => {
      asked.push(given)
      const token = createHmac('sha256', 'network token').update(String(tokens.size)).digest('hex')
      const made = NetworkToken.fromPartial({
        token,
        sellerId: given.sellerId,
        status: NetworkTokenStatus.PENDING,
        card: given.card?.card,
      })
      tokens.set(token, made)
      return made
    })
  const deactivate = (key: GetTokenRequest) =>
    marks.once(key.sellerId, NetworkToken, () => {
      const found = find(key)
      if (found.status !== NetworkTokenStatus.ACTIVE) {
        throw new DomainError('failed_precondition', 'NETWORK_TOKEN_NOT_ACTIVE', 'The token is not active.')
      }
      return Object.assign(found, { status: NetworkTokenStatus.INACTIVE })
    })
  const takePush = async (push: TakePushRequest) => {
    pushes.push(push)
    if (push.headers['webhook-signature'] !== 'v1,good') {
      throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'The signature is not good.')
    }
    return {}
  }
  const service = (log: Logger): ServedService =>
    standIn(log, NetworkTokensService, {
      requestToken: async (given: RequestTokenRequest) => request(given),
      getToken: async (key: GetTokenRequest) => find(key),
      deactivateToken: async (key: GetTokenRequest) => deactivate(key),
      takePush,
    })
  return { tokens, asked, pushes, service }
}
