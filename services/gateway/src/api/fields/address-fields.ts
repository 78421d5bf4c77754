import { z } from 'zod'
import { line } from './body-fields'

/** The 26 states of Brazil and its federal district (ISO 3166-2:BR). */
const STATES: ReadonlySet<string> = new Set(
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' '),
)

/** A Brazilian address in a body. */
export const addressFields = {
  street: line().optional(),
  streetNumber: line().optional(),
  lineTwo: line().optional().meta({ description: 'Apartment, floor and the like.' }),
  neighborhood: line().optional(),
  city: line().optional(),
  state: z
    .string()
    .refine((given) => STATES.has(given.toUpperCase()), {
      params: { code: 'FORMAT', detail: 'must be the two letters of a Brazilian state, such as SP' },
    })
    .transform((state) => state.toUpperCase())
    .meta({ pattern: '^[A-Za-z]{2}$', description: 'One of the 27 federative units of Brazil.' })
    .optional(),
  zipCode: z
    .string()
    .regex(/^\d{2}\.?\d{3}-?\d{3}$/, 'must be eight digits, such as 01310-100')
    .transform((code) => code.replaceAll(/[.-]/g, ''))
    .optional(),
}
