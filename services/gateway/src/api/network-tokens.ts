import {
  networkTokenAcceptedSchema,
  networkTokenSchema,
  networkTokenStatus,
  presentAcceptedNetworkToken,
  presentNetworkToken,
} from '@cofre/api/network-token'
import { pageSchema } from '@cofre/api/page'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { NetworkToken, NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { z } from 'zod'
import { answerPage } from '../http/page-answer'
import { route } from '../http/route'
import { tokenText } from './fields/body-fields'
import { AFTER, lastFourQuery, pageQuery, placeQuery, queryBound, queryNames } from './fields/query-fields'
import { networkTokenRequestSchema } from './network-token-request'

const tag = 'Network tokens'
const byToken = z.object({ token: tokenText() })
const ASK_AGAIN_SECONDS = '5'

const PREFIXES = ['/api/v2/sellers/{sellerId}', '/api/v2', '/v2/sellers/{sellerId}', '/v2']

/** Returns the paths of an operation: with and without the seller, under /api/v2 and /v2. */
function paths(rest = ''): { path: string; also: string[] } {
  const [path = '', ...also] = PREFIXES.map((prefix) => `${prefix}/cards/tokens/network${rest}`)
  return { path, also }
}

const requestNetworkToken = route({
  method: 'POST',
  ...paths(),
  scope: 'cards:write',
  operationId: 'requestNetworkToken',
  tag,
  summary: 'Request a network token for a card',
  description:
    'The answer comes at once; the card network may take minutes. The result is POSTed to notificationUrl. You can also read the token.',
  body: { kind: 'card', schema: networkTokenRequestSchema, required: true, urls: ['notificationUrl'] },
  responses: {
    202: {
      description: 'The request is accepted and the token is PENDING.',
      schema: networkTokenAcceptedSchema,
      headers: ['Location', 'Retry-After'],
    },
  },
  problems: [
    'EXACTLY_ONE_SOURCE',
    'NOTIFICATION_URL_NOT_HTTPS',
    'NOTIFICATION_URL_NOT_PUBLIC',
    'NO_NETWORK_TOKEN_ESTABLISHMENT',
    'CARD_BRAND_UNSUPPORTED',
    'CARD_TOKEN_UNUSABLE',
  ],
  message: NetworkToken,
  keptBy: 'network-token',
  handle: ({ sellerId, body, cards }, { services: { networkTokens } }) => {
    const pointer = body.cardToken ? '#/cardToken' : '#'
    const card = cards.find((each) => each.pointer === pointer)
    if (!card) throw new Error('the vault found no card in a body that holds one')
    const { notificationUrl } = body
    const cardToken = body.cardToken?.token ?? ''
    const request = { sellerId, card, notificationUrl, cardToken }
    return callRepeatable(networkTokens, networkTokens.requestToken, request)
  },
  present: (token, { baseUrl }) => ({
    status: 202,
    headers: {
      Location: `${baseUrl}/api/v2/cards/tokens/network/${token.token}`,
      'Retry-After': ASK_AGAIN_SECONDS,
    },
    body: presentAcceptedNetworkToken(token),
  }),
})

const tokensQuery = z.object({
  ...pageQuery,
  after: tokenText().optional().meta({ description: AFTER }),
  ...placeQuery,
  status: queryNames(networkTokenStatus.schema).optional(),
  lastFour: lastFourQuery(),
  createdFrom: queryBound('from').optional(),
  createdTo: queryBound('to').optional(),
})

const absentFilters = { after: undefined, lastFour: undefined, createdFrom: undefined, createdTo: undefined }

const listNetworkTokens = route({
  method: 'GET',
  ...paths(),
  scope: 'cards:read',
  operationId: 'listNetworkTokens',
  tag,
  summary: 'List network tokens, newest first',
  description: 'Link leads to other pages. `after` is the token of the last entry that you have.',
  query: tokensQuery,
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(networkTokenSchema, 'NetworkTokenPage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { networkTokens } }) => {
    const { status = [], ...filters } = query
    const statuses = status.map(networkTokenStatus.valueOf)
    return callRpc(networkTokens, networkTokens.listTokens, {
      ...absentFilters,
      sellerId,
      ...filters,
      statuses,
    })
  },
  present: ({ tokens, ...end }, view) =>
    answerPage('/api/v2/cards/tokens/network', { items: tokens.map(presentNetworkToken), ...end }, view),
})

const getNetworkToken = route({
  method: 'GET',
  ...paths('/{token}'),
  scope: 'cards:read',
  operationId: 'getNetworkToken',
  tag,
  summary: 'Read the status of a network token',
  params: byToken,
  responses: {
    200: {
      description: 'The current token. The answer has Retry-After while the token is PENDING.',
      schema: networkTokenSchema,
      headersAtTimes: ['Retry-After'],
    },
  },
  handle: ({ sellerId, params }, { services: { networkTokens } }) =>
    callRpc(networkTokens, networkTokens.getToken, { sellerId, token: params.token }),
  present: (token) => ({
    status: 200,
    ...(token.status === NetworkTokenStatus.PENDING ? { headers: { 'Retry-After': ASK_AGAIN_SECONDS } } : {}),
    body: presentNetworkToken(token),
  }),
})

const deactivateNetworkToken = route({
  method: 'POST',
  ...paths('/{token}/deactivate'),
  scope: 'cards:write',
  operationId: 'deactivateNetworkToken',
  callsPartner: 'token-service',
  tag,
  summary: 'Deactivate a network token',
  description: 'The card network deletes the token too. Request a new token to charge the card again.',
  params: byToken,
  responses: { 200: { description: 'The token, INACTIVE.', schema: networkTokenSchema } },
  problems: ['NETWORK_TOKEN_NOT_ACTIVE'],
  message: NetworkToken,
  handle: ({ sellerId, params }, { services: { networkTokens } }) =>
    callRepeatable(networkTokens, networkTokens.deactivateToken, { sellerId, token: params.token }),
  present: (token) => ({ status: 200, body: presentNetworkToken(token) }),
})

export const networkTokenRoutes = [
  requestNetworkToken,
  listNetworkTokens,
  getNetworkToken,
  deactivateNetworkToken,
]
