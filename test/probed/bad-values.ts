import type { Schema } from './operations'

/** Part of the bad values, so that an answer that repeats them is found. */
export const MARK = 'Zq7xProbedValue'

export type BadValue = { what: string; value: unknown }
type Resolve = (schema: Schema) => Schema

const NOTHING = { what: 'null', value: null }
const A_TEXT = { what: 'a text', value: MARK }
const A_NUMBER = { what: 'a number', value: 7 }
const A_TRUTH = { what: 'true', value: true }
const A_LIST = { what: 'a list', value: [MARK] }
const AN_OBJECT = { what: 'an object', value: { [MARK]: MARK } }

/** Values that a schema does not allow: of another type, too long, too short, too large, of another form. */
export function badValues(schema: Schema, resolve: Resolve): BadValue[] {
  const whole = withoutNull(resolve(schema), resolve)
  if (whole.type === 'integer') return [NOTHING, A_TEXT, A_TRUTH, A_LIST, AN_OBJECT, ...badIntegers(whole)]
  if (whole.type === 'number') return [NOTHING, A_TEXT, A_TRUTH, A_LIST, AN_OBJECT, ...beyond(whole)]
  if (whole.type === 'string') return [NOTHING, A_NUMBER, A_TRUTH, A_LIST, AN_OBJECT, ...badTexts(whole)]
  if (whole.type === 'boolean') return [NOTHING, A_TEXT, A_NUMBER, A_LIST, AN_OBJECT]
  if (whole.type === 'array') return [NOTHING, A_TEXT, A_NUMBER, AN_OBJECT, ...badLists(whole)]
  if (whole.type === 'object') return [NOTHING, A_TEXT, A_NUMBER, A_TRUTH, { what: 'a list', value: [] }]
  // A moment or a day: what is bad for the moment is no day either.
  const [moment, day] = (whole.anyOf as Schema[] | undefined) ?? []
  if (moment && day?.format === 'date') return badValues(moment, resolve)
  throw new Error(`what is bad for ${JSON.stringify(whole).slice(0, 80)} is not known: add it`)
}

/** The schema of a value that may be null, as that of the value. */
function withoutNull(schema: Schema, resolve: Resolve): Schema {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: Schema[] }
  const [only, none] = anyOf ?? []
  if (only && none?.type === 'null') return resolve(only)
  return Array.isArray(type) ? { ...schema, type: type.find((each) => each !== 'null') } : schema
}

function badIntegers(schema: Schema): BadValue[] {
  return [
    { what: 'a fraction', value: 10.5 },
    { what: 'what no number can hold exactly', value: 1e300 },
    ...beyond(schema),
  ]
}

function beyond({ minimum, maximum }: Schema): BadValue[] {
  return [
    ...(typeof minimum === 'number' ? [{ what: 'less than the least', value: minimum - 1 }] : []),
    ...(typeof maximum === 'number' ? [{ what: 'more than the most', value: maximum + 1 }] : []),
  ]
}

function badTexts({ minLength, maxLength, pattern, format, const: only, description }: Schema): BadValue[] {
  const longest = typeof maxLength === 'number' ? maxLength : 4_000
  // A text with a minimum length and no pattern may hold anything.
  const formed = pattern ?? format ?? only ?? (minLength === undefined ? description : undefined)
  return [
    { what: 'too long', value: MARK.repeat(Math.ceil((longest + 1) / MARK.length)) },
    { what: 'with a NUL', value: `${MARK}\0` },
    { what: 'with half a character', value: `${MARK}\uD800` },
    ...(minLength === 1 ? [{ what: 'empty', value: '' }] : []),
    ...(formed === undefined ? [] : [{ what: 'of another form', value: MARK }]),
  ]
}

function badLists({ minItems, maxItems }: Schema): BadValue[] {
  return [
    ...(minItems === 1 ? [{ what: 'empty', value: [] }] : []),
    ...(typeof maxItems === 'number'
      ? [{ what: 'too many', value: Array.from({ length: maxItems + 1 }, () => ({})) }]
      : []),
  ]
}

/** The schema of a member, given by its JSON pointer; undefined when the schema names no members. */
export function schemaAt(schema: Schema, pointer: string, resolve: Resolve): Schema | undefined {
  const names = pointer.split('/').slice(1)
  return names.reduce<Schema | undefined>((at, name) => {
    const { properties, items } = at === undefined ? {} : resolve(at)
    return ((properties as Schema | undefined)?.[name] ?? items) as Schema | undefined
  }, schema)
}

/** True when the object that holds a member requires it. */
export function isRequired(schema: Schema, pointer: string, resolve: Resolve): boolean {
  const cut = pointer.lastIndexOf('/')
  const holder = schemaAt(schema, pointer.slice(0, cut), resolve)
  const required = holder && (resolve(holder).required as string[] | undefined)
  return required?.includes(pointer.slice(cut + 1)) ?? false
}
