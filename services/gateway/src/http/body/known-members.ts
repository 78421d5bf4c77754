import { z } from 'zod'

export type JsonSchema = Readonly<{
  $ref?: string
  type?: string | readonly string[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: unknown
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $defs?: Record<string, JsonSchema>
}>

/** The allowed contents of a place in a body: its members, or the entries of its list. */
export type Known = {
  members: Map<string, JsonSchema[]>
  required: Set<string>
  isClosed: boolean
  entries: JsonSchema[]
}

const converted = new WeakMap<z.ZodType, JsonSchema>()

/** The JSON schema of what a schema takes. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = converted.get(schema)
  if (known) return known
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  converted.set(schema, json)
  return json
}

/** Most places have one schema. A body may have thousands of such places. */
const knownOfOne = new WeakMap<JsonSchema, Known>()

/** Merges the schemas of one place: a member that one of them knows is known. */
export function knownOf(root: JsonSchema, schemas: readonly JsonSchema[]): Known {
  const [only] = schemas
  const merged = (schemas.length === 1 && only && knownOfOne.get(only)) || merge(root, schemas)
  if (schemas.length === 1 && only) knownOfOne.set(only, merged)
  return merged
}

function merge(root: JsonSchema, schemas: readonly JsonSchema[]): Known {
  const known: Known = { members: new Map(), required: new Set(), isClosed: false, entries: [] }
  const add = (schema: JsonSchema) => {
    const { $ref, properties, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema
    const named = $ref === undefined ? undefined : root.$defs?.[$ref.split('/').at(-1) ?? '']
    for (const part of [...(named ? [named] : []), ...anyOf, ...oneOf, ...allOf]) add(part)
    if (items) known.entries.push(items)
    if (properties && !additionalProperties) known.isClosed = true
    for (const name of schema.required ?? []) known.required.add(name)
    for (const [name, member] of Object.entries(properties ?? {}))
      known.members.set(name, [...(known.members.get(name) ?? []), member])
  }
  for (const schema of schemas) add(schema)
  return known
}
