import { createHmac } from 'node:crypto'
import { DomainError, notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '../stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  NetworkToken,
  NetworkTokensService,
  NetworkTokenStatus,
  type FindTokenOfCardRequest,
  type GetTokenRequest,
  type ListTokensRequest,
  type ListTokensResponse,
  type ObtainCryptogramRequest,
  type RequestTokenRequest,
  type TakePushRequest,
} from '@cofre/proto/networktoken/v1/networktoken'
import { SealedCard } from '@cofre/proto/vault/v1/vault'
import { createMarks } from './marks'

/** The only signature that the stand-in accepts. */
export const GOOD_PUSH = `v1,${Buffer.alloc(32, 1).toString('base64')}`

/**
 * A token of the stand-in, of a card and for one account. `number`: the card's number; `fault`: the error of a request
 * for a cryptogram.
 */
export type StandInToken = NetworkToken & {
  merchantId: string
  number: string
  /** The stored card in the request for this token. */
  cardToken: string
  cardIsCurrent: boolean
  fault?: DomainError
  cryptograms: { reference: string; amount: number }[]
}

/** Network tokens in memory. `asked` and `pushes` hold the requests. */
export function createNetworkTokens() {
  const marks = createMarks()
  const tokens = new Map<string, StandInToken>()
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
      const { sellerId, cardToken } = given
      const made = newToken({ token, sellerId, cardToken, card: given.card?.card })
      tokens.set(token, made)
      return made
    })
  const findActive = (key: GetTokenRequest): StandInToken => {
    const found = tokens.get(key.token)
    if (found?.sellerId !== key.sellerId) {
      throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The network token is unknown.')
    }
    if (found.status === NetworkTokenStatus.ACTIVE) return found
    throw new DomainError('failed_precondition', 'NETWORK_TOKEN_NOT_ACTIVE', 'The token is not active.')
  }
  const deactivate = (key: GetTokenRequest) =>
    marks.once(key.sellerId, NetworkToken, () => {
      find(key)
      return Object.assign(findActive(key), { status: NetworkTokenStatus.INACTIVE })
    })
  const describeActiveToken = async (key: GetTokenRequest) => {
    const { card, merchantId, cardIsCurrent, cardToken } = findActive(key)
    return { card, merchantId, cardIsCurrent, cardToken }
  }
  const obtainCryptogram = async ({ reference, amount, ...key }: ObtainCryptogramRequest) => {
    const { number, cryptograms, fault } = findActive(key)
    if (fault) throw fault
    cryptograms.push({ reference, amount })
    return SealedCard.fromPartial({ handle: `${number}#cryptogram of ${reference}`, usable: true })
  }
  const takePush = async (push: TakePushRequest) => {
    if (push.headers['webhook-signature'] !== undefined) pushes.push(push)
    checkSignature(push)
    return {}
  }
  const answers = {
    requestToken: async (given: RequestTokenRequest) => request(given),
    getToken: async (key: GetTokenRequest) => find(key),
    listTokens: async (given: ListTokensRequest) => list([...tokens.values()], given),
    findTokenOfCard: async (key: FindTokenOfCardRequest) => tokenOfCard([...tokens.values()], key),
    deactivateToken: async (key: GetTokenRequest) => deactivate(key),
    describeActiveToken,
    obtainCryptogram,
    takePush,
  }
  const services = (log: Logger): ServedService[] => [
    standIn(log, NetworkTokensService, answers),
    marks.service(log),
  ]
  return { tokens, asked, pushes, services }
}

function checkSignature({ headers }: TakePushRequest): void {
  if (headers['webhook-signature'] === GOOD_PUSH) return
  throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'The signature is not good.')
}

function list(tokens: readonly StandInToken[], request: ListTokensRequest): ListTokensResponse {
  const { sellerId, statuses, lastFour, page, size } = request
  const found = tokens
    .filter((each) => each.sellerId === sellerId)
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .filter(({ card }) => lastFour === undefined || card?.lastFour === lastFour)
  const entries = found.slice(page * size, (page + 1) * size)
  const more = found.length > (page + 1) * size
  return { tokens: entries, total: found.length, totalIsLowerBound: false, more }
}

function tokenOfCard(
  tokens: readonly StandInToken[],
  { sellerId, cardToken }: FindTokenOfCardRequest,
): StandInToken {
  const ofCard = tokens.filter((each) => each.sellerId === sellerId && each.cardToken === cardToken)
  const found = ofCard.find(({ status }) => status === NetworkTokenStatus.ACTIVE)
  if (!found) throw notFound()
  return found
}

/** A requested token, PENDING unless `changes` says otherwise. */
export function newToken(changes: Partial<StandInToken>): StandInToken {
  return {
    ...NetworkToken.fromPartial({ status: NetworkTokenStatus.PENDING }),
    merchantId: '',
    number: '',
    cardToken: '',
    cardIsCurrent: true,
    cryptograms: [],
    ...changes,
  }
}
