import { cardTokenSchema, presentCardToken } from '@cofre/api/card'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { StoredCard } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import { route, type View } from '../http/route'
import { cardTokenRequestSchema } from './card-request'

const tag = 'Cards'

/** Names a stored card by its id or by its token. */
const reference = z.object({
  card: z
    .string()
    .regex(/^([1-9]\d{0,15}|[0-9a-f]{64})$/)
    .transform((text) => (text.length === 64 ? { token: text } : { id: Number(text) }))
    .refine((card) => card.id === undefined || Number.isSafeInteger(card.id))
    .meta({ description: 'The integer id, or the token of 64 hexadecimal digits.' }),
})

function locationOf({ baseUrl }: View, id: number): string {
  return `${baseUrl}/api/v2/cards/tokens/${id}`
}

const createCardToken = route({
  method: 'POST',
  path: '/api/v2/cards/tokens',
  scope: 'cards:write',
  operationId: 'createCardToken',
  tag,
  summary: 'Exchange a card number for a token',
  description: 'The vault keeps the number; no other service has it. The CVV is never stored.',
  body: { kind: 'card', schema: cardTokenRequestSchema, required: true },
  responses: { 201: { description: 'Stored.', schema: cardTokenSchema, headers: ['Location'] } },
  problems: ['CARD_BRAND_UNSUPPORTED'],
  message: StoredCard,
  keptBy: 'vault',
  handle: async ({ sellerId, cards }, { services: { vault } }) => {
    const card = cards.find(({ pointer }) => pointer === '#')
    if (!card) throw new Error('the vault found no card in a body that holds one')
    return callRepeatable(vault, vault.storeCard, { sellerId, handle: card.handle })
  },
  present: (card, view) => ({
    status: 201,
    headers: { Location: locationOf(view, card.id) },
    body: presentCardToken(card),
  }),
})

const getCardToken = route({
  method: 'GET',
  path: '/api/v2/cards/tokens/{card}',
  scope: 'cards:read',
  operationId: 'getCardToken',
  tag,
  summary: 'Read a card token',
  params: reference,
  responses: {
    200: {
      description: 'The card as you may show it: first six and last four digits.',
      schema: cardTokenSchema,
    },
  },
  handle: ({ sellerId, params }, { services: { vault } }) =>
    callRpc(vault, vault.describeCard, { sellerId, id: undefined, token: undefined, ...params.card }),
  present: (card) => ({ status: 200, body: presentCardToken(card) }),
})

const deleteCardToken = route({
  method: 'DELETE',
  path: '/api/v2/cards/tokens/{card}',
  scope: 'cards:write',
  operationId: 'deleteCardToken',
  tag,
  summary: 'Destroy the stored card number',
  params: reference,
  responses: {
    204: {
      description:
        'The number is destroyed and the token no longer exists. A network token made from this card stays active: deactivate it separately.',
    },
  },
  handle: ({ sellerId, params }, { services: { vault } }) =>
    callRpc(vault, vault.deleteCard, { sellerId, id: undefined, token: undefined, ...params.card }),
  present: () => ({ status: 204 }),
})

const jwkSchema = z
  .looseObject({
    kty: z.literal('RSA'),
    n: z.string(),
    e: z.string(),
    kid: z.string(),
    alg: z.string(),
    serverTime: z.int().meta({
      description:
        'The server’s time, epoch milliseconds. Take `iat` from it: the clock of a shopper may be wrong.',
      examples: [1_795_790_093_000],
    }),
  })
  .meta({ id: 'EncryptionKey', description: 'A public JWK (RFC 7517), and the time at which it was read.' })

const getEncryptionKey = route({
  method: 'GET',
  path: '/api/v2/cards/encryption-key',
  scope: 'public',
  operationId: 'getEncryptionKey',
  tag,
  summary: 'Read the public key for encrypting a card in the browser',
  description:
    'Encrypt the card fields to this key as a compact JWE (enc A256GCM), and send it as encryptedCard. ' +
    'Put iat (epoch seconds, from serverTime) in its header or plaintext: it is valid for 15 minutes. Add a sellerId there, and only that seller can use it. ' +
    'Read the key for each card, because serverTime is the time of this answer.',
  responses: { 200: { description: 'The key.', schema: jwkSchema } },
  handle: (_request, { services: { vault } }) => callRpc(vault, vault.getEncryptionKey, {}),
  // The key is public, and the pages that encrypt with it are the seller's own. Libraries ignore the member that no JWK
  // has (RFC 7517, 4).
  present: ({ jwk }) => ({
    status: 200,
    headers: { 'Access-Control-Allow-Origin': '*' },
    body: { ...(JSON.parse(jwk) as object), serverTime: Date.now() },
  }),
})

export const cardRoutes = [createCardToken, getCardToken, deleteCardToken, getEncryptionKey]
