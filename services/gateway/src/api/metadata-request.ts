import { z } from 'zod'
import { isKeepable, UNKEEPABLE } from './fields/body-fields'

const MAX_KEYS = 50

const key = z.string().min(1).max(40).refine(isKeepable, UNKEEPABLE)
const value = z
  .union([z.string().max(500).refine(isKeepable, UNKEEPABLE), z.number()], {
    error: 'must be a number, or text of at most 500 characters',
  })
  .meta({ id: 'MetadataValueRequest' })

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

/** All metadata of a charge: an object as an order takes it, or the list that a read answers. */
export const metadataReplacementSchema = z.preprocess((given, context) => {
  if (!isList(given)) return given
  const names = given.map((entry) => entry.key)
  const fault = (code: string, detail: string) =>
    context.addIssue({ code: 'custom', params: { code, detail } })
  if (new Set(names).size < names.length) fault('DUPLICATE', 'must name each key once')
  if (names.includes('__proto__')) fault('RESERVED', 'has a key that is a reserved name')
  return Object.fromEntries(given.map((entry) => [entry.key, entry.value]))
}, metadataRequestSchema)

function isList(given: unknown): given is { key: string; value: unknown }[] {
  return (
    Array.isArray(given) &&
    given.every((entry) => typeof (entry as { key?: unknown } | null)?.key === 'string')
  )
}
