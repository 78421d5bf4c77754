/** Names of fields that may be kept. Fields of an object, or of the objects in a list, are nested. */
type Fields = { readonly [name: string]: true | Fields }

/** The fields that may be kept of a body of this shape. */
export type RecordedFields<Body> = { readonly [Name in keyof Body]?: RecordedField<NonNullable<Body[Name]>> }

type RecordedField<Value> = Value extends readonly (infer Each)[]
  ? RecordedFields<Each>
  : Value extends object
    ? RecordedFields<Value>
    : true

/**
 * Returns the part of a checked body that may be kept: the fields that its route names, and nothing else. No card, no
 * person, no free text. Undefined when the route names none.
 */
export function recordedPart(fields: object | undefined, body: unknown): unknown {
  return fields && pick(body, fields as Fields)
}

function pick(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(each, fields))
  if (typeof value !== 'object' || value === null) return undefined
  const kept = Object.entries(value).flatMap(([name, held]) => {
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (rule === undefined) return []
    const part = rule === true ? scalar(held) : pick(held, rule)
    return part === undefined ? [] : [[name, part] as const]
  })
  return Object.fromEntries(kept)
}

function scalar(value: unknown): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined
}
