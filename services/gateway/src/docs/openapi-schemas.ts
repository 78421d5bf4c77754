import { z } from 'zod'
import { GROWING_ENUMS } from './growing-enums'

export type JsonSchema = Record<string, unknown>

/** Bodies that we receive (input) or answer (output), or the parameters of a path or query. */
type Use = 'input' | 'output' | 'parameters'

/** Turns zod schemas into JSON Schema 2020-12 for OpenAPI 3.1. A schema with an id becomes a component. */
export function createSchemaBook() {
  const components: Record<string, JsonSchema> = {}
  /** Keeps one schema for each name. A member with a default is required in answers, but not in requests. */
  const keep = (name: string, { id: _id, ...given }: JsonSchema) => {
    const schema = GROWING_ENUMS.includes(name) ? openEnum(given) : given
    const known = components[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`${name} names two schemas, perhaps one of a request and one of an answer`)
    components[name] = schema
  }
  const convert = (schema: z.ZodType, use: Use): JsonSchema => {
    const json = z.toJSONSchema(schema, {
      io: use === 'output' ? 'output' : 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // JavaScript's bounds of exact integers mean nothing to a reader; int64 does.
        if (jsonSchema.type === 'integer') {
          const { minimum, maximum, ...rest } = jsonSchema
          if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
          if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
          Object.assign(jsonSchema, { format: 'int64', ...rest })
        }
        // zod leaves these out where a schema also transforms. Ours describe the values as they are sent.
        const { examples } = z.globalRegistry.get(zodSchema) ?? {}
        Object.assign(jsonSchema, examples ? { examples } : {})
        describeDefault(jsonSchema, defaultOf(zodSchema), use)
        // Members may be added to answers, and with `Prefer: handling=lenient` to requests.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        if (jsonSchema.required?.length === 0) delete jsonSchema.required
      },
    })
    const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')
    // zod merges the types of a union last, so they are shaped in its result.
    const {
      $defs,
      $schema: _schema,
      ...rest
    } = JSON.parse(text, (_key, each) => shapeTypes(each)) as JsonSchema
    for (const [name, each] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) keep(name, each)
    const { id, ...own } = rest
    if (typeof id !== 'string') return rest
    keep(id, own)
    return { $ref: `#/components/schemas/${id}` }
  }
  return { components, convert, keep }
}

function openEnum({ enum: values, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, description: 'More values may follow.', 'x-extensible-enum': values }
}

/**
 * Generators of Go know one type for a value, beside null: several are alternatives, and null is no alternative. A number
 * without a format would have 32 bits there.
 */
function shapeTypes(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  const { type, anyOf, ...rest } = json as { type?: unknown; anyOf?: JsonSchema[] }
  if (type === 'number') return { format: 'double', ...json }
  if (Array.isArray(type) && type.filter((each) => each !== 'null').length > 1)
    return { ...rest, anyOf: type.map((each: unknown) => shapeTypes({ type: each })) }
  const [only, none] = Array.isArray(anyOf) ? anyOf : []
  if (anyOf?.length === 2 && none?.['type'] === 'null' && typeof only?.['type'] === 'string')
    return { ...orNull(only), ...rest }
  return json
}

/** Returns a schema that also takes null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, $ref, description } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  if ($ref === undefined) return schema
  return { anyOf: [{ $ref }, { type: 'null' }], ...(description === undefined ? {} : { description }) }
}

/** A request may write null for a member that the read of the resource, `Customer` for `CustomerRequest`, writes as null. */
export function takeNullAsRead(components: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, request] of Object.entries(components)) {
    const read = components[name.replace(/Request$/, '')]
    if (!read || read === request) continue
    const { required = [], properties = {} } = request as Members
    for (const [member, schema] of Object.entries(properties)) {
      const shown = (read as Members).properties?.[member]
      if (shown && takesNull(shown) && !takesNull(schema) && !required.includes(member))
        properties[member] = orNull(schema)
    }
  }
}

type Members = { required?: string[]; properties?: Record<string, JsonSchema> }

function takesNull({ type, anyOf }: JsonSchema): boolean {
  const alternatives = (anyOf ?? []) as JsonSchema[]
  return [type].flat().includes('null') || alternatives.some((each) => each['type'] === 'null')
}

type Default = string | number | boolean | object

function defaultOf(schema: z.core.$ZodType): Default | undefined {
  const { def } = schema._zod as { def: { type: string; defaultValue?: unknown } }
  const given = z.globalRegistry.get(schema)?.default
  return (given ?? (def.type === 'default' ? def.defaultValue : undefined)) as Default | undefined
}

/**
 * Generators of clients make a member with a `default` a required one. So words say what an absent member of a body
 * means, and an answer, which always has the member, says nothing. Parameters keep theirs.
 */
function describeDefault(json: JsonSchema, given: Default | undefined, use: Use): void {
  delete json['default']
  if (given === undefined) return
  if (use === 'parameters') json['default'] = given
  const { description = '' } = json as { description?: string }
  // An empty object needs no words: its members have defaults of their own.
  const words = Array.isArray(given) ? 'none' : typeof given === 'object' ? undefined : String(given)
  if (use !== 'input' || words === undefined || /\bdefault\b/i.test(description)) return
  json['description'] = `${description} Default: ${words}.`.trimStart()
}
