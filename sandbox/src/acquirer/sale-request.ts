import { z } from 'zod'

const DEPTH_MAX = 8

const NAMES = new Map(
  `merchantOrderId customer name identity identityType email
   address street number complement zipCode city state country
   payment type amount currency installments interest capture softDescriptor
   creditCard cardNumber cardToken holder expirationDate securityCode brand cryptogram
   authenticate externalAuthentication eci cavv version referenceId dataOnly issuerTransactionId
   cardOnFile usage reason recurrent initiatedTransactionIndicator category subcategory`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
)

// An absent value, or one of the wrong type, becomes undefined: sale-rules.ts then refuses it by its Cielo code.
const text = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined)
const integer = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined)
const flag = z.union([z.boolean(), z.stringbool()]).catch(false)

const card = z.object({
  cardNumber: text,
  cardToken: text,
  holder: text,
  expirationDate: text,
  securityCode: text,
  brand: text,
  cryptogram: text,
  cardOnFile: z.object({ usage: text, reason: text }).optional().catch(undefined),
})

const address = z.object({
  street: text,
  number: text,
  complement: text,
  zipCode: text,
  city: text,
  state: text,
  country: text,
})

const externalAuthentication = z.object({
  eci: text,
  cavv: text,
  version: text,
  referenceId: text,
  dataOnly: flag,
})

const sale = z.object({
  merchantOrderId: text,
  customer: z
    .object({
      name: text,
      identity: text,
      identityType: text,
      email: text,
      address: address.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  payment: z
    .object({
      type: text,
      amount: integer,
      currency: text,
      installments: integer,
      interest: text,
      capture: flag,
      softDescriptor: text,
      creditCard: card.optional().catch(undefined),
      issuerTransactionId: text,
      recurrent: flag,
      initiatedTransactionIndicator: z
        .object({ category: text, subcategory: text })
        .optional()
        .catch(undefined),
      authenticate: flag,
      externalAuthentication: externalAuthentication.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

export type SaleRequest = z.infer<typeof sale>
export type CardRequest = z.infer<typeof card>
export type Address = z.infer<typeof address>

export function readSale(body: unknown): SaleRequest {
  return sale.catch({}).parse(inOurCase(body))
}

/** Reads the flat body of Zero Auth. */
export function readCard(body: unknown): CardRequest {
  return card.catch({}).parse(inOurCase(body))
}

/** Renames keys to our case: Cielo accepts any case, and its own samples mix them. */
function inOurCase(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > DEPTH_MAX) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      return [NAMES.get(key.toLowerCase()) ?? key, inOurCase(inner, depth + 1)]
    }),
  )
}
