import { nameOfRef } from '../openapi-examples'
import type { JsonSchema } from '../openapi-schemas'

export type Member = {
  name: string
  type: string
  /** Empty, `required`, or the condition under which the member is required. */
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
  const choices = choicesOf(whole)
  const properties = propertiesOf(whole, choices)
  if (items) return membersOf(items as JsonSchema, components, depth)
  if (!properties) return alternativesOf(rest).flatMap((each) => membersOf(each, components, depth))
  return Object.entries(properties).map(([name, each]) => {
    const given = { ...describedBy(each, components), ...resolve(each, components), ...each }
    return {
      name,
      type: typeOf(each, components),
      required: (required as string[]).includes(name) ? 'required' : requiredWithout(name, choices),
      description: typeof given['description'] === 'string' ? given['description'] : '',
      allowed: allowedOf(given),
      members: membersOf(each, components, depth + 1),
    }
  })
}

/** Returns the description of a whole body, or nothing. */
export function descriptionOf(schema: JsonSchema, components: Components): string {
  const { description } = { ...resolve(schema, components), ...schema }
  return typeof description === 'string' ? description : ''
}

/** One of the sets of members that a body may have: a card in the open or encrypted. */
type Choice = { required: string[]; properties?: Components }

function choicesOf({ oneOf }: JsonSchema): Choice[] {
  const choices = ((oneOf ?? []) as Partial<Choice>[]).filter((each) => each.required !== undefined)
  return choices as Choice[]
}

function propertiesOf({ properties }: JsonSchema, choices: readonly Choice[]): Components | undefined {
  if (!properties) return undefined
  const own = properties as Components
  const further = Object.assign({}, ...choices.map((each) => each.properties ?? {})) as Components
  return { ...own, ...Object.fromEntries(Object.entries(further).filter(([name]) => !(name in own))) }
}

/** Returns `required without encryptedCard` for a member that one choice needs and others do not. */
function requiredWithout(name: string, choices: readonly Choice[]): string {
  if (!choices.some(({ required }) => required.includes(name))) return ''
  const others = choices.filter(({ required }) => !required.includes(name))
  const firsts = others.flatMap(({ required: [first] }) => first ?? [])
  return firsts.length === 0 ? 'required' : `required without ${firsts.join(' or ')}`
}

/** Returns the description of the entries of a list: it stands beside the list. */
function describedBy({ items }: JsonSchema, components: Components): JsonSchema {
  const { description } = items ? resolve(items as JsonSchema, components) : {}
  return description === undefined ? {} : { description }
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
  const { items, const: only, minimum, maximum, maxLength, pattern, default: given } = schema
  const names = schema['enum'] ?? (items as JsonSchema | undefined)?.['enum']
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
