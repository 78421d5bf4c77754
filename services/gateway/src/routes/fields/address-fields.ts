import { z } from 'zod'
import { text } from './body-fields'

/** A Brazilian address in a body. */
export const addressFields = {
  street: text().optional(),
  streetNumber: text().optional(),
  neighborhood: text().optional(),
  city: text().optional(),
  state: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be two letters')
    .transform((state) => state.toUpperCase())
    .optional(),
  zipCode: z
    .string()
    .regex(/^(\d{8}|\d{5}-\d{3})$/, 'must be eight digits, with or without a hyphen after the fifth')
    .transform((code) => code.replace('-', ''))
    .optional(),
}
