import { NetworkTokenStatus, type NetworkToken } from '@cofre/proto/networktoken/v1/networktoken'
import { z } from 'zod'
import { cardHolderSchema } from './card'
import { enumNames, epochMs } from './schema'

export const networkTokenStatus = enumNames('NetworkTokenStatus', NetworkTokenStatus)

export const networkTokenAcceptedSchema = z
  .object({ token: z.string(), status: networkTokenStatus.schema })
  .meta({ id: 'NetworkTokenAccepted', examples: [{ token: 'f3a1'.repeat(16), status: 'PENDING' }] })

const shown = z.object({
  token: z.string().meta({ description: '64 hexadecimal digits.' }),
  status: networkTokenStatus.schema,
  bin: z.string(),
  lastFour: z.string(),
  brand: z.string(),
  expiration: z.object({ year: z.string(), month: z.string() }).meta({
    id: 'NetworkTokenExpiration',
    description: 'The expiry date of the card as you sent it, never that of the network token.',
  }),
  reason: z.string().optional().meta({
    description:
      'With FAILED: CARD_NOT_ELIGIBLE, ISSUER_DECLINED, CARD_EXPIRED, NETWORK_UNAVAILABLE, ACQUIRER_REJECTED, TIMEOUT.',
  }),
})

/** A network token, as a request for its status shows it. */
export const networkTokenSchema = shown
  .extend({ holder: cardHolderSchema, createdAt: epochMs(), updatedAt: epochMs() })
  .meta({
    id: 'NetworkToken',
    examples: [
      {
        token: 'f3a1'.repeat(16),
        status: 'ACTIVE',
        bin: '411111',
        lastFour: '1111',
        brand: 'VISA',
        expiration: { year: '2049', month: '12' },
        holder: { name: 'ANA SOUZA' },
        createdAt: 1_767_225_600_000,
        updatedAt: 1_767_225_604_000,
      },
    ],
  })

/** The data of a network token's notification: everything but the holder. */
export const networkTokenNotificationSchema = shown.extend({}).meta({
  id: 'NetworkTokenNotification',
  examples: [
    {
      token: 'f3a1'.repeat(16),
      status: 'ACTIVE',
      bin: '411111',
      lastFour: '1111',
      brand: 'VISA',
      expiration: { year: '2049', month: '12' },
    },
  ],
})

export type NetworkTokenNotification = z.output<typeof networkTokenNotificationSchema>

export function presentAcceptedNetworkToken(
  token: NetworkToken,
): z.output<typeof networkTokenAcceptedSchema> {
  return { token: token.token, status: networkTokenStatus.nameOf(token.status) }
}

export function presentNetworkToken(token: NetworkToken): z.output<typeof networkTokenSchema> {
  const { card, createdAt, updatedAt } = token
  const holder = { name: card?.holderName ?? '' }
  return { ...presentNetworkTokenNotification(token), holder, createdAt, updatedAt }
}

export function presentNetworkTokenNotification({
  token,
  status: at,
  card,
  reason,
}: NetworkToken): NetworkTokenNotification {
  return {
    token,
    status: networkTokenStatus.nameOf(at),
    bin: card?.bin ?? '',
    lastFour: card?.lastFour ?? '',
    brand: card?.brand ?? '',
    expiration: { year: String(card?.expirationYear ?? ''), month: String(card?.expirationMonth ?? '') },
    ...(at === NetworkTokenStatus.FAILED ? { reason } : {}),
  }
}
