import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

/** Turns zod schemas into JSON Schema 2020-12 for OpenAPI 3.1. A schema with an id becomes a component. */
export function createSchemaBook() {
  const components: Record<string, JsonSchema> = {}
  /** Keeps one schema for each name. A member with a default is required in answers, but not in requests. */
  const keep = (name: string, { id: _id, ...schema }: JsonSchema) => {
    const known = components[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`${name} names two schemas, perhaps one of a request and one of an answer`)
    components[name] = schema
  }
  /** `io`: bodies that we receive (input) or answer (output). */
  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const json = z.toJSONSchema(schema, {
      io,
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
        const { examples, default: given } = z.globalRegistry.get(zodSchema) ?? {}
        Object.assign(jsonSchema, examples ? { examples } : {}, given === undefined ? {} : { default: given })
        // Members may be added to answers, and with `Prefer: handling=lenient` to requests.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    })
    const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')
    const { $defs, $schema: _schema, ...rest } = JSON.parse(text) as JsonSchema
    for (const [name, each] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) keep(name, each)
    const { id, ...own } = rest
    if (typeof id !== 'string') return rest
    keep(id, own)
    return { $ref: `#/components/schemas/${id}` }
  }
  return { components, convert }
}
