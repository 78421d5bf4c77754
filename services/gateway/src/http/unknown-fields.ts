import type { FieldError } from '@cofre/platform/errors'
import { pointerTo } from '@cofre/platform/json'
import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { safePointer } from './faults'

type JsonSchema = Readonly<{
  $ref?: string
  properties?: Record<string, JsonSchema>
  additionalProperties?: unknown
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $defs?: Record<string, JsonSchema>
}>

/** What a place of a body may hold: its members, or the entries of its list. */
type Known = { members: Map<string, JsonSchema[]>; isClosed: boolean; entries: JsonSchema[] }

const converted = new WeakMap<z.ZodType, JsonSchema>()

/**
 * The members of a body, or the parameters of a query, that its schema does not know: a typo could move money. A fault
 * names the nearest name that is known.
 */
export function unknownFields(schema: z.ZodType, sent: unknown): FieldError[] {
  const root = jsonSchemaOf(schema)
  const walk = (value: unknown, schemas: readonly JsonSchema[], pointer: string): FieldError[] => {
    if (typeof value !== 'object' || value === null) return []
    const known = knownOf(root, schemas)
    if (Array.isArray(value))
      return value.flatMap((entry, at) => walk(entry, known.entries, pointerTo(pointer, at)))
    return Object.entries(value).flatMap(([name, held]) => {
      const at = pointerTo(pointer, name)
      const schemasOfMember = known.members.get(name)
      if (schemasOfMember) return walk(held, schemasOfMember, at)
      return known.isClosed ? [unknownField(at, name, [...known.members.keys()])] : []
    })
  }
  return walk(sent, [root], '#')
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = converted.get(schema)
  if (known) return known
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  converted.set(schema, json)
  return json
}

/** Of several schemas for one place, a member that one of them knows is known. */
function knownOf(root: JsonSchema, schemas: readonly JsonSchema[]): Known {
  const known: Known = { members: new Map(), isClosed: false, entries: [] }
  const add = (schema: JsonSchema) => {
    const { $ref, properties, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema
    const named = $ref === undefined ? undefined : root.$defs?.[$ref.split('/').at(-1) ?? '']
    for (const part of [...(named ? [named] : []), ...anyOf, ...oneOf, ...allOf]) add(part)
    if (items) known.entries.push(items)
    if (properties && !additionalProperties) known.isClosed = true
    for (const [name, member] of Object.entries(properties ?? {}))
      known.members.set(name, [...(known.members.get(name) ?? []), member])
  }
  for (const schema of schemas) add(schema)
  return known
}

function unknownField(pointer: string, name: string, known: readonly string[]): FieldError {
  const nearest = nearestOf(name, known)
  const question = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return { pointer: safePointer(pointer), code: 'UNKNOWN_FIELD', detail: `is not known here${question}` }
}

const LONGEST_NAME = 40

/** A name that differs by few letters. Undefined: none does. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const most = Math.max(2, Math.floor(name.length / 3))
  const ranked = known
    .map((other) => ({ other, letters: distance(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, two) => one.letters - two.letters)
  const [first] = ranked
  return first && first.letters <= Math.min(most, first.other.length - 1) ? first.other : undefined
}
