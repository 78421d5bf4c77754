import { z } from 'zod'
import { addressFields } from '../fields/address-fields'
import { birthday, text } from '../fields/body-fields'
import { documentNumber } from '../fields/document-number'

/** E.164 numbers have at most 15 digits, at most 3 of them for the country. */
const phoneSchema = z.object({
  countryCode: z.int().min(1).max(999).optional(),
  areaCode: z.int().min(1).max(9_999).optional(),
  number: z.int().min(1).max(999_999_999_999).optional(),
})

/** A customer, created or replaced as a whole. */
export const customerRequestSchema = z
  .object({
    name: text(),
    document: documentNumber(),
    birthdate: birthday().optional(),
    phone: phoneSchema.optional(),
    email: z.email('must be an e-mail address').max(255).optional(),
    address: z
      .object({ ...addressFields, lineTwo: text().optional() })
      .meta({ id: 'CustomerAddress' })
      .optional(),
  })
  .meta({
    id: 'CustomerRequest',
    examples: [
      {
        name: 'Ana Souza',
        document: '123.456.789-09',
        birthdate: '1990-05-31',
        phone: { countryCode: 55, areaCode: 11, number: 987_654_321 },
        email: 'ana@example.com',
        address: {
          street: 'Rua das Flores',
          streetNumber: '120',
          lineTwo: 'ap 42',
          neighborhood: 'Centro',
          state: 'SP',
          zipCode: '01001000',
          city: 'São Paulo',
        },
      },
    ],
  })
