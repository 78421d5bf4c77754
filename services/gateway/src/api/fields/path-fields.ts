import { z } from 'zod'

/** An id in a path. A malformed id is not found, so there is nothing to explain. */
export const pathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine((id) => Number.isSafeInteger(id))
  .meta({ type: 'integer', minimum: 1, pattern: undefined })
