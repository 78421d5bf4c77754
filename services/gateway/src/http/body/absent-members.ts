import { pointerTo } from '@cofre/platform/json'
import type { z } from 'zod'
import { jsonSchemaOf, knownOf, type JsonSchema } from './known-members'

/** A body without its absent members, and the places of optional members that it gives badly, each with the advice. */
type Present = { value: unknown; advice: Map<string, string> }

const NOT_EMPTY = 'must not be empty; leave it out if you have none'
const WHOLE = 'must not be null; leave it out if you mean the whole amount'
/** Without one of these, an operation moves everything, or moves money at all: null is no way to say that. */
const NEVER_NULL = new Map([
  ['#/amount', WHOLE],
  ['#/amountInCents', WHOLE],
  ['#/returnedAt', 'must not be null; leave it out to have the money given back now'],
])

/**
 * Leaves out the members of a body that are absent by their value: null, and an empty list where the member is
 * optional. Clients whose serializers write every member send both. `readOnly`: members that a read writes and a
 * replacement ignores, by their path: `id`, or `items.id` of each item. Members that the schema does not know stay, as do those of metadata.
 */
export function withoutAbsent(schema: z.ZodType, sent: unknown, readOnly: readonly string[] = []): Present {
  const root = jsonSchemaOf(schema)
  const advice = new Map<string, string>()
  const isList = (schemas: readonly JsonSchema[]) => knownOf(root, schemas).entries.length > 0
  const walk = (value: unknown, schemas: readonly JsonSchema[], pointer: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const { members, required, entries } = knownOf(root, schemas)
    if (Array.isArray(value)) return value.map((each, at) => walk(each, entries, pointerTo(pointer, at)))
    const place = pointer
      .split('/')
      .slice(1)
      .filter((part) => !/^\d+$/.test(part))
    const kept = Object.entries(value).flatMap(([name, held]): [string, unknown][] => {
      if (readOnly.includes([...place, name].join('.'))) return []
      const schemasOfMember = members.get(name)
      if (!schemasOfMember) return [[name, held]]
      const at = pointerTo(pointer, name)
      const isOptional = !required.has(name)
      const notNull = NEVER_NULL.get(at)
      if (held === null && isOptional && notNull !== undefined) advice.set(at, notNull)
      else if (held === null || (isOptional && isEmptyList(held) && isList(schemasOfMember))) return []
      if (isOptional && isBlank(held)) advice.set(at, NOT_EMPTY)
      return [[name, walk(held, schemasOfMember, at)]]
    })
    return Object.fromEntries(kept)
  }
  return { value: walk(sent, [root], '#'), advice }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && !/\S/.test(value)
}
