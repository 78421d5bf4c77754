import { z } from 'zod'
import { isKeepable, UNKEEPABLE } from './fields/body-fields'

const MAX_KEYS = 50

const key = z.string().min(1).max(40).refine(isKeepable, UNKEEPABLE)
const value = z.union([z.string().max(500).refine(isKeepable, UNKEEPABLE), z.number()], {
  error: 'must be a number, or text of at most 500 characters',
})

/** A seller's own keys on a resource, as sent. */
export const metadataRequestSchema = z
  .record(key, value)
  .refine((metadata) => Object.keys(metadata).length <= MAX_KEYS, {
    params: { code: 'LENGTH', detail: `must have at most ${MAX_KEYS} keys` },
  })
  .meta({
    id: 'MetadataRequest',
    description: 'Up to 50 keys of 40 characters; values are numbers, or text of up to 500 characters.',
    examples: [{ cart: '77' }],
    maxProperties: MAX_KEYS,
  })
