import { z } from 'zod'
import { text, tokenText } from './fields/body-fields'
import { documentNumber } from './fields/document-number'

const holder = z.object({ name: text(), document: documentNumber().optional() })
const expiration = z.object({ year: z.int().min(2000).max(2099), month: z.int().min(1).max(12) })

const SEALED_CVV = 'Compact JWE of {"cvv":"123"}, in place of cvv.'
/** A CVV that the client encrypted, in place of a plain one. */
export function sealedCvv() {
  return z.string().optional().meta({ description: SEALED_CVV })
}

const cvv = () => z.string().optional().meta({ description: '3 or 4 digits; never stored.' })

const cardFields = z.object({
  cardNumber: z.string().meta({ description: '12 to 19 digits, with a valid Luhn check digit.' }),
  holder,
  expiration: expiration.meta({ description: 'A card is valid through the last day of this month.' }),
})

// The vault's answer always has these fields: it replaces an encryptedCard by its fields, masked.
const OPEN_OR_ENCRYPTED = {
  required: [],
  oneOf: [
    { required: ['cardNumber', 'holder', 'expiration'] },
    {
      required: ['encryptedCard'],
      properties: {
        encryptedCard: {
          type: 'string',
          description:
            'Compact JWE (RSA-OAEP-256, A256GCM) to the key of GET /api/v2/cards/encryption-key. ' +
            'It has iat (epoch seconds) in its header or plaintext, and is valid for 15 minutes. With a sellerId there, only that seller can use it.',
        },
      },
    },
  ],
}

/** A card to store. */
export const cardTokenRequestSchema = cardFields.extend({ cvv: cvv() }).meta({
  id: 'CardTokenRequest',
  ...OPEN_OR_ENCRYPTED,
  examples: [
    {
      cardNumber: '4111111111111111',
      holder: { name: 'ANA SOUZA', document: '12345678909' },
      expiration: { year: 2049, month: 12 },
    },
  ],
})

/** A card given for one charge. */
export const openCardSchema = cardFields.extend({ cvv: cvv() }).meta({ id: 'OpenCard', ...OPEN_OR_ENCRYPTED })

/** A stored card, named by its token. */
export const cardTokenReferenceSchema = z
  .object({
    token: tokenText().meta({ description: '64 hexadecimal digits.' }),
    cvv: cvv(),
    encryptedCvv: sealedCvv(),
  })
  .meta({ id: 'CardTokenReference' })
