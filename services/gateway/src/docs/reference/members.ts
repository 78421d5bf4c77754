import { nameOfRef } from '../openapi-examples'
import type { JsonSchema } from '../openapi-schemas'

export type Member = {
  name: string
  type: string
  /** Empty, or `required`. */
  required: string
  description: string
  /** The allowed values: names, bounds, the default. */
  allowed: string[]
  members: Member[]
}

type Components = Record<string, JsonSchema>
const DEPTH_MAX = 6
/** A pattern is shown up to this many characters. */
const PATTERN_MAX = 40

/** Returns the members of an object, or of the entries of an array, as rows; none for anything else. */
export function membersOf(schema: JsonSchema, components: Components, depth = 0): Member[] {
  if (depth > DEPTH_MAX) return []
  const whole = resolve(schema, components)
  const { items, required = [], ...rest } = whole
  const properties = whole['properties'] as Components | undefined
  if (items) return membersOf(items as JsonSchema, components, depth)
  if (!properties) return alternativesOf(rest).flatMap((each) => membersOf(each, components, depth))
  return Object.entries(properties).map(([name, each]) => {
    const given = { ...describedBy(each, components), ...resolve(each, components), ...each }
    return {
      name,
      type: typeOf(each, components),
      required: (required as string[]).includes(name) ? 'required' : '',
      description: typeof given['description'] === 'string' ? given['description'] : '',
      allowed: allowedOf({ ...firstOf(each, components), ...given }, components),
      members: membersOf(each, components, depth + 1),
    }
  })
}

/** Returns the description of a whole body, or nothing. */
export function descriptionOf(schema: JsonSchema, components: Components): string {
  const { description } = { ...resolve(schema, components), ...schema }
  return typeof description === 'string' ? description : ''
}

/** Returns the description of the entries of a list: it stands beside the list. */
function describedBy({ items }: JsonSchema, components: Components): JsonSchema {
  const { description } = items ? resolve(items as JsonSchema, components) : {}
  return description === undefined ? {} : { description }
}

/** A schema itself, where it is a reference to one. */
export function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const ref = schema['$ref']
  return typeof ref === 'string' ? (components[nameOfRef(ref)] ?? {}) : schema
}

function alternativesOf({ anyOf, oneOf, allOf }: JsonSchema): JsonSchema[] {
  const first = [anyOf, oneOf, allOf].flat()[0]
  return first ? [first as JsonSchema] : []
}

/** The type in a word or two: `integer`, `array of objects`, `string or null`. */
export function typeOf(schema: JsonSchema, components: Components): string {
  const { type, items, anyOf, oneOf, properties, enum: names, const: only } = resolve(schema, components)
  if (names || (only !== undefined && typeof only === 'string')) return 'string'
  if (type === 'array') return `array of ${typeOf((items as JsonSchema | undefined) ?? {}, components)}s`
  if (Array.isArray(type)) return type.join(' or ')
  if (typeof type === 'string') return type
  const parts = (anyOf ?? oneOf ?? []) as JsonSchema[]
  if (parts.length > 0) return [...new Set(parts.map((part) => typeOf(part, components)))].join(' or ')
  return properties ? 'object' : 'any'
}

/** The schema of a value that may be null. */
function firstOf(schema: JsonSchema, components: Components): JsonSchema {
  const [first] = alternativesOf(resolve(schema, components))
  return first ? resolve(first, components) : {}
}

function namesOf(schema: JsonSchema): unknown {
  return schema['enum'] ?? schema['x-extensible-enum']
}

function allowedOf(schema: JsonSchema, components: Components): string[] {
  const { items, const: only, minimum, maximum, maxLength, pattern, default: given } = schema
  const names = namesOf(schema) ?? namesOf(resolve((items ?? {}) as JsonSchema, components))
  // A longer pattern explains nothing: the description does.
  const form = typeof pattern === 'string' && pattern.length <= PATTERN_MAX ? pattern : undefined
  const facts: [unknown, string][] = [
    [names, `One of ${[names].flat().map(String).join(', ')}`],
    [only, `Always ${String(only)}`],
    [minimum, `At least ${String(minimum)}`],
    [maximum, `At most ${String(maximum)}`],
    [maxLength, `At most ${String(maxLength)} characters`],
    [form, `Matches ${form}`],
    [given, `Default ${JSON.stringify(given)}`],
  ]
  return facts.filter(([fact]) => fact !== undefined).map(([, words]) => words)
}
