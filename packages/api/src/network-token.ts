import { NetworkTokenStatus, type NetworkToken } from '@cofre/proto/networktoken/v1/networktoken'
import { z } from 'zod'
import { cardTokenReferenceSchema, openCardSchema } from './card'
import { enumNames, withExactlyOne, withRule } from './schema'

const status = enumNames(NetworkTokenStatus)
const URL_MAX = 2_048

const { cardNumber, holder, expiration, cvv } = openCardSchema.shape

// A card's own fields, each optional: a kept card may stand in their place.
const requestFields = z.object({
  cardNumber: cardNumber.optional(),
  holder: holder.optional(),
  expiration: expiration.optional(),
  cvv,
  // Still there only where the vault could not open it, which is a fault that the vault tells.
  encryptedCard: z.unknown().optional(),
  cardToken: cardTokenReferenceSchema.optional(),
  notificationUrl: z
    .string()
    .max(URL_MAX)
    .refine((url) => url.startsWith('https://'), {
      params: { code: 'NOT_HTTPS', detail: 'must begin with https://' },
    })
    .meta({
      format: 'uri',
      description: 'https; is told when the token becomes ACTIVE, FAILED or INACTIVE.',
    }),
})

/** A card, open or encrypted or kept, for which the network is asked for a token. */
export const networkTokenRequestSchema = withCardFields(
  withExactlyOne(requestFields, ['cardNumber', 'encryptedCard', 'cardToken']),
).meta({
  id: 'NetworkTokenRequest',
  required: ['notificationUrl'],
  oneOf: [
    { required: ['cardNumber', 'holder', 'expiration'] },
    { required: ['encryptedCard'] },
    { required: ['cardToken'] },
  ],
  examples: [
    {
      cardNumber: '4111111111111111',
      holder: { name: 'ANA SOUZA', document: '12345678909' },
      expiration: { year: 2031, month: 12 },
      cvv: '123',
      notificationUrl: 'https://shop.example/hooks/network-tokens',
    },
  ],
})

/** A card number comes with its holder and its expiration. */
function withCardFields(schema: typeof requestFields): typeof requestFields {
  return ['holder', 'expiration'].reduce(
    (checked, name) =>
      withRule(checked, {
        code: 'REQUIRED',
        detail: 'is required',
        path: [name],
        holds: (value) => value.cardNumber == null || value[name] != null,
      }),
    schema,
  )
}

export const networkTokenAcceptedSchema = z
  .object({ token: z.string(), status: status.schema })
  .meta({ id: 'NetworkTokenAccepted', examples: [{ token: 'f3a1'.repeat(16), status: 'PENDING' }] })

const shown = z.object({
  token: z.string().meta({ description: '64 hexadecimal digits.' }),
  status: status.schema,
  bin: z.string(),
  lastFour: z.string(),
  brand: z.string(),
  expiration: z
    .object({ year: z.string(), month: z.string() })
    .meta({ description: 'Of the card, as it was sent; never that of the network’s token.' }),
  reason: z.string().optional().meta({
    description:
      'With FAILED: CARD_NOT_ELIGIBLE, ISSUER_DECLINED, CARD_EXPIRED, NETWORK_UNAVAILABLE, ACQUIRER_REJECTED, TIMEOUT.',
  }),
})

/** A network token as its status is read. */
export const networkTokenSchema = shown.extend({ holder: z.object({ name: z.string() }) }).meta({
  id: 'NetworkToken',
  examples: [
    {
      token: 'f3a1'.repeat(16),
      status: 'ACTIVE',
      bin: '411111',
      lastFour: '1111',
      brand: 'VISA',
      expiration: { year: '2031', month: '12' },
      holder: { name: 'ANA SOUZA' },
    },
  ],
})

/** What a notification of a network token says: everything but the holder. */
export type NetworkTokenNotification = z.output<typeof shown>

export function presentAcceptedNetworkToken(
  token: NetworkToken,
): z.output<typeof networkTokenAcceptedSchema> {
  return { token: token.token, status: status.nameOf(token.status) }
}

export function presentNetworkToken(token: NetworkToken): z.output<typeof networkTokenSchema> {
  return { ...presentNetworkTokenNotification(token), holder: { name: token.card?.holderName ?? '' } }
}

export function presentNetworkTokenNotification({
  token,
  status: at,
  card,
  reason,
}: NetworkToken): NetworkTokenNotification {
  return {
    token,
    status: status.nameOf(at),
    bin: card?.bin ?? '',
    lastFour: card?.lastFour ?? '',
    brand: card?.brand ?? '',
    expiration: { year: String(card?.expirationYear ?? ''), month: String(card?.expirationMonth ?? '') },
    ...(at === NetworkTokenStatus.FAILED ? { reason } : {}),
  }
}
