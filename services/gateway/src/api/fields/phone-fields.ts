import { z } from 'zod'

/** A phone number in a body. E.164 numbers have at most 15 digits, at most 3 of them for the country. */
export const phoneFields = {
  countryCode: z.int().min(1).max(999).optional(),
  areaCode: z.int().min(1).max(9_999).optional(),
  number: z.int().min(1).max(999_999_999_999).optional(),
}
