import type { FieldError } from '@cofre/platform/errors'
import { pointerTo } from '@cofre/platform/json'
import { z } from 'zod'
import { MAX_LISTED, nearestOf, safePointer } from './faults'

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

/** The allowed contents of a place in a body: its members, or the entries of its list. */
type Known = { members: Map<string, JsonSchema[]>; isClosed: boolean; entries: JsonSchema[] }

const converted = new WeakMap<z.ZodType, JsonSchema>()

/**
 * Returns the faults of members of a body, or parameters of a query, that the schema does not know: a typo could move
 * money. A fault names the nearest known name.
 */
export function unknownFields(schema: z.ZodType, sent: unknown): FieldError[] {
  const root = jsonSchemaOf(schema)
  let unknown = 0
  // Only a fault that the answer shows is compared with all known names.
  const faultOf = (pointer: string, name: string, known: Known) => {
    unknown += 1
    return unknownField(pointer, name, unknown > MAX_LISTED ? [] : [...known.members.keys()])
  }
  const walk = (value: unknown, schemas: readonly JsonSchema[], pointer: string): FieldError[] => {
    if (typeof value !== 'object' || value === null) return []
    const known = knownOf(root, schemas)
    if (Array.isArray(value))
      return value.flatMap((entry, at) => walk(entry, known.entries, pointerTo(pointer, at)))
    const strayCard = known.isClosed ? strayCardIn(value, known) : []
    const strays = strayCard.length > 0 ? [strayCardFault(pointer)] : []
    const faults = Object.entries(value).flatMap(([name, held]) => {
      if (strayCard.includes(name)) return []
      const at = pointerTo(pointer, name)
      const schemasOfMember = known.members.get(name)
      if (schemasOfMember) return walk(held, schemasOfMember, at)
      return known.isClosed ? [faultOf(at, name, known)] : []
    })
    return [...strays, ...faults]
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

/** Merges the schemas of one place: a member that one of them knows is known. */
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

/** The members of a card, in the open or as the vault opened it. */
const OF_A_CARD = ['cardNumber', 'encryptedCard', 'holder', 'expiration', 'cvv']

/** Returns the members of a card that stand beside the member `card` rather than in it. */
function strayCardIn(value: object, { members }: Known): string[] {
  const hasCard = Object.hasOwn(value, 'cardNumber') || Object.hasOwn(value, 'encryptedCard')
  if (!hasCard || !members.has('card') || members.has('cardNumber')) return []
  return OF_A_CARD.filter((name) => Object.hasOwn(value, name) && !members.has(name))
}

function strayCardFault(pointer: string): FieldError {
  const detail = 'holds a card outside the member card: send card.encryptedCard, or card.cardNumber'
  return { pointer, code: 'UNKNOWN_FIELD', detail }
}

function unknownField(pointer: string, name: string, known: readonly string[]): FieldError {
  const listed = name.replace(/\[\]$/, '')
  if (listed !== name && known.includes(listed)) {
    const detail = `has no brackets: repeat ${listed}, or separate its values by commas`
    return { pointer: `#/${listed}`, code: 'UNKNOWN_FIELD', detail }
  }
  const nearest = nearestOf(name, known)
  const question = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return { pointer: safePointer(pointer), code: 'UNKNOWN_FIELD', detail: `is not known here${question}` }
}
