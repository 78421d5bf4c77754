import { z } from 'zod'
import { cardTokenReferenceSchema, openCardSchema } from './card-request'
import { withExactlyOne, withRule } from './fields/body-fields'

const URL_MAX = 2_048

const { cardNumber, holder, expiration, cvv, encryptedCard } = openCardSchema.shape

// The fields of a card, each optional: a stored card may replace them.
const requestFields = z.object({
  cardNumber: cardNumber.optional(),
  holder: holder.optional(),
  expiration: expiration.optional(),
  cvv,
  encryptedCard,
  cardToken: cardTokenReferenceSchema.optional(),
  notificationUrl: z
    .string()
    .max(URL_MAX)
    .refine((url) => url.startsWith('https://'), {
      params: { code: 'NOT_HTTPS', detail: 'must begin with https://' },
    })
    .meta({
      format: 'uri',
      description:
        'An https URL. Cofre sends a notification to it when the token becomes ACTIVE or FAILED. Registered endpoints also get INACTIVE.',
    }),
})

/** A card for which the network is asked for a token: open, encrypted or stored. */
export const networkTokenRequestSchema = withCardFields(
  withExactlyOne(requestFields, ['cardNumber', 'encryptedCard', 'cardToken']),
).meta({
  id: 'NetworkTokenRequest',
  description:
    'Exactly one of cardNumber, encryptedCard and cardToken. With cardNumber: holder and expiration too.',
  examples: [
    {
      cardNumber: '4111111111111111',
      holder: { name: 'ANA SOUZA', document: '12345678909' },
      expiration: { year: 2049, month: 12 },
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
