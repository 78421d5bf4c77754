import { nameOfRef } from '../openapi-examples'
import type { JsonSchema } from '../openapi-schemas'

export type Member = {
  name: string
  type: string
  required: boolean
  description: string
  /** What it may be: names, bounds, the default. */
  allowed: string[]
  members: Member[]
}

type Components = Record<string, JsonSchema>
const DEPTH_MAX = 6

/** The members of an object, or of the entries of an array, as rows; none for anything else. */
export function membersOf(schema: JsonSchema, components: Components, depth = 0): Member[] {
  if (depth > DEPTH_MAX) return []
  const { properties, items, required = [], ...rest } = resolve(schema, components)
  if (items) return membersOf(items as JsonSchema, components, depth)
  if (!properties) return alternativesOf(rest).flatMap((each) => membersOf(each, components, depth))
  return Object.entries(properties as Components).map(([name, each]) => {
    const given = { ...resolve(each, components), ...each }
    return {
      name,
      type: typeOf(each, components),
      required: (required as string[]).includes(name),
      description: typeof given['description'] === 'string' ? given['description'] : '',
      allowed: allowedOf(given),
      members: membersOf(each, components, depth + 1),
    }
  })
}

function resolve(schema: JsonSchema, components: Components): JsonSchema {
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

function allowedOf(schema: JsonSchema): string[] {
  const { enum: names, const: only, minimum, maximum, maxLength, default: given } = schema
  const facts: [unknown, string][] = [
    [names, `One of ${[names].flat().map(String).join(', ')}`],
    [only, `Always ${String(only)}`],
    [minimum, `At least ${String(minimum)}`],
    [maximum, `At most ${String(maximum)}`],
    [maxLength, `At most ${String(maxLength)} characters`],
    [given, `Default ${JSON.stringify(given)}`],
  ]
  return facts.filter(([fact]) => fact !== undefined).map(([, words]) => words)
}
