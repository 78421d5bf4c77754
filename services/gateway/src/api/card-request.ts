import { z } from 'zod'
import { line, orDigits, tokenText } from './fields/body-fields'
import { documentNumber } from './fields/document-number'

export const holderSchema = z
  .object({ name: line(), document: documentNumber().optional() })
  .meta({ id: 'CardHolderRequest' })
const expirationSchema = z
  .object({ year: orDigits(z.int().min(2000).max(2099)), month: orDigits(z.int().min(1).max(12)) })
  .meta({
    id: 'CardExpirationRequest',
    description:
      'A card is valid through the last day of this month. Digits as text, such as "08", are taken too.',
  })

const SEALED_CVV = 'Compact JWE of {"cvv":"123"}, in place of cvv.'
/** A CVV that the client encrypted, in place of a plain one. */
export function sealedCvv() {
  return z.string().optional().meta({ description: SEALED_CVV })
}

const cvv = () => z.string().optional().meta({ description: '3 or 4 digits; never stored.' })

const cardFields = z.object({
  cardNumber: z.string().meta({ description: '12 to 19 digits, with a valid Luhn check digit.' }),
  holder: holderSchema,
  expiration: expirationSchema,
})

/**
 * A card that the client encrypted. The vault replaces it by its fields, masked; one that it can't open is its fault to
 * report. So these schemas check the fields alone, and take whatever stayed here.
 */
export function sealedCard(fields = 'cardNumber, holder and expiration') {
  return z
    .unknown()
    .optional()
    .meta({
      type: 'string',
      description:
        `In place of ${fields}: a compact JWE (RSA-OAEP-256, A256GCM) to the key of GET /api/v2/cards/encryption-key. ` +
        'It has iat (epoch seconds) in its header or plaintext, and is valid for 15 minutes. With a sellerId there, only that seller can use it.',
    })
}

// A document that requires the fields of the open form would refuse the encrypted one.
const OPEN_OR_ENCRYPTED = {
  required: [],
  description:
    'Either encryptedCard, or cardNumber with holder and expiration. A cvv may stand beside cardNumber.',
}

const cardForms = cardFields.extend({ cvv: cvv(), encryptedCard: sealedCard() })

/** A card to store. */
export const cardTokenRequestSchema = cardForms.meta({
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
export const openCardSchema = cardForms.meta({ id: 'OpenCard', ...OPEN_OR_ENCRYPTED })

/** A network token, named by its token. */
export const networkTokenReferenceSchema = z
  .object({ token: tokenText() })
  .meta({ id: 'NetworkTokenReference' })

/** A stored card, named by its token. */
export const cardTokenReferenceSchema = z
  .object({
    token: tokenText().meta({ description: '64 hexadecimal digits.' }),
    cvv: cvv(),
    encryptedCvv: sealedCvv(),
  })
  .meta({ id: 'CardTokenReference' })
