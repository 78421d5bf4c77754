import { z } from 'zod'
import { addressFields } from '../fields/address-fields'
import { birthday, line } from '../fields/body-fields'
import { documentNumber } from '../fields/document-number'
import { email } from '../fields/email-field'
import { phoneFields } from '../fields/phone-fields'

/** A customer, created or replaced as a whole. */
export const customerRequestSchema = z
  .object({
    name: line(),
    document: documentNumber(),
    birthdate: birthday().optional(),
    phone: z.object(phoneFields).meta({ id: 'CustomerPhoneRequest' }).optional(),
    email: email().optional(),
    address: z.object(addressFields).meta({ id: 'CustomerAddressRequest' }).optional(),
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
