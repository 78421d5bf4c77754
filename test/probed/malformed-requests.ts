import { badValues, type BadValue, isRequired, MARK, schemaAt } from './bad-values'
import { placesOf, type Json } from './good-bodies'
import { fillPath, type Operation, type Parameter, type Schema } from './operations'
import { JSON_TYPE, type Sending } from './product'

/** A request with one fault. `pointer`: the member whose fault the answer must name. */
export type Malformed = Sending & { what: string; method: string; path: string; pointer?: string }

type Known = {
  resolve: (schema: Schema) => Schema
  /** Values for the parameters of paths. */
  params: Record<string, string | number>
  /** A body that the operation takes, with every member that it knows. */
  goodBody: (path: string) => Json
}

/** One request for each fault that an operation can have; an alias gets no faults in members. */
export function malformedRequests(operation: Operation, known: Known, isAlias: boolean): Malformed[] {
  return [
    ...badTokens(operation, known),
    ...operation.parameters.flatMap((parameter) => badParameters(operation, parameter, known)),
    ...(operation.body ? badBodies(operation, known) : []),
    ...(operation.body && !isAlias ? badMembers(operation, known) : []),
  ]
}

/** A good request, changed by one fault. */
function withFault(operation: Operation, known: Known, fault: Partial<Malformed>): Malformed {
  const { method, path } = operation
  const good = {
    method,
    path: fillPath(path, known.params),
    ...(operation.body ? { body: JSON.stringify(known.goodBody(path)) } : {}),
  }
  const headers = { ...(operation.body ? JSON_TYPE : {}), ...fault.headers }
  return { ...good, ...fault, headers, what: `${method} ${path}: ${fault.what}` }
}

function badTokens(operation: Operation, known: Known): Malformed[] {
  const patch = withFault(operation, known, { what: 'another method', method: 'PATCH' })
  if (!operation.secured) return [patch]
  const tokens = { 'no token': null, 'a token that is none': MARK, 'half a token': `${btoa('{}')}.${MARK}.` }
  return [
    patch,
    ...Object.entries(tokens).map(([what, token]) => withFault(operation, known, { what, token })),
  ]
}

const BAD_IDS = ['abc', '0', '-1', '1.5', '1e3', '9'.repeat(20), '%00', '%FF', '..%2F1', MARK]

function badParameters(operation: Operation, parameter: Parameter, known: Known): Malformed[] {
  const { name, in: place, schema } = parameter
  if (place === 'path') {
    return BAD_IDS.map((value) => {
      const path = fillPath(operation.path.replace(`{${name}}`, '@'), known.params).replace('@', value)
      return withFault(operation, known, { what: `${name} is ${value}`, path })
    })
  }
  if (place === 'header') {
    if (name !== 'Idempotency-Key') return []
    return [MARK.repeat(18), `${MARK} ${MARK}`, ''].map((value) =>
      withFault(operation, known, { what: `${name} of ${value.length}`, headers: { [name]: value } }),
    )
  }
  return badQueries(schema, known).map((value) => {
    const path = `${fillPath(operation.path, known.params)}?${name}=${encodeURIComponent(value)}`
    return withFault(operation, known, { what: `${name} is ${value.slice(0, 30)}`, path })
  })
}

function badQueries(schema: Schema, { resolve }: Known): string[] {
  if (schema.type === 'array') return [MARK, '']
  const values = badValues(schema, resolve).map(({ value }) => value)
  // In a query every value is a text: for a parameter that takes text, only texts can be wrong.
  const wrong = schema.type === 'string' ? values.filter((value) => typeof value === 'string') : values
  return wrong
    .filter((value) => ['number', 'string'].includes(typeof value))
    .map(String)
    .filter((value) => !/\p{Surrogate}/u.test(value))
}

const DEEP = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`
const LONG = JSON.stringify({ a: MARK.repeat(20_000) })
const NO_JSON = {
  empty: '',
  'cut off': `{"amount": "${MARK}`,
  'a trailing comma': '{"amount":1,}',
  NaN: '{"amount":NaN}',
}
const NO_OBJECT = { null: 'null', 'a list': `["${MARK}"]`, 'a text': `"${MARK}"`, 'a number': '7' }

function badBodies(operation: Operation, known: Known): Malformed[] {
  const bodies = { ...NO_JSON, ...NO_OBJECT, 'too deep': DEEP, 'too long': LONG }
  const whole = Object.entries(bodies)
    .filter(([what]) => operation.bodyRequired || what !== 'empty')
    .map(([what, body]) => withFault(operation, known, { what: `the body is ${what}`, body }))
  const types = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
  ]
  return [
    ...whole,
    withFault(operation, known, {
      what: 'the body is not UTF-8',
      body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
    }),
    ...types.map((type) => withFault(operation, known, { what: type, headers: { 'content-type': type } })),
  ]
}

/** Bodies with each required member left out, and with each value that a member's schema does not allow. */
function badMembers(operation: Operation, known: Known): Malformed[] {
  const schema = operation.body as Schema
  const faultAt = (
    pointer: string,
    what: string,
    change: (holder: Json, name: string) => void,
  ): Malformed => {
    const body = known.goodBody(operation.path)
    const place = placesOf(body).find((each) => each.pointer === pointer)
    if (!place) throw new Error(`${pointer} is not in the body`)
    change(place.holder, place.name)
    return withFault(operation, known, { what: `${pointer} ${what}`, pointer, body: JSON.stringify(body) })
  }
  return placesOf(known.goodBody(operation.path)).flatMap(({ pointer }) => {
    const at = schemaAt(schema, pointer, known.resolve)
    if (!at) return []
    const required = isRequired(schema, pointer, known.resolve)
    // Null, or an empty list, in place of an optional member is as good as none; but no amount may be null.
    const isAbsence = ({ what, value }: BadValue) =>
      value === null ? !pointer.endsWith('/amount') : what === 'empty' && Array.isArray(value)
    return [
      ...badValues(at, known.resolve)
        .filter((bad) => required || !isAbsence(bad))
        .map(({ what, value }) => faultAt(pointer, `is ${what}`, (holder, name) => (holder[name] = value))),
      ...(required ? [faultAt(pointer, 'is missing', (holder, name) => delete holder[name])] : []),
    ]
  })
}
