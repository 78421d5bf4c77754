import { EVENT_TYPES } from '@cofre/api/events'
import { eventExamples, kindOf } from '../../src/docs/event-examples'
import { GROWING_ENUMS } from '../../src/docs/growing-enums'
import { describeApi } from '../../src/docs/openapi'
import { createSchemaBook } from '../../src/docs/openapi-schemas'
import { pathsOf } from '../../src/http/route'
import { routes } from '../../src/api/all-routes'

type Json = { [keyword: string]: unknown }
type Components = Record<'schemas' | 'responses' | 'parameters', Record<string, Json>>
type Operation = Json & { responses: Record<string, Json>; requestBody?: Json; description: string }
type Found = { at: string; schema: Json }

const BASE_URL = 'https://pay.example.com'
/** For each operation a third of what one took before its problems were shared. */
const MAX_BYTES_OF_ONE = 4_800

const document = JSON.parse(JSON.stringify(describeApi(routes, BASE_URL)))
const { schemas, responses } = document.components as Components
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, at: `${method} ${path}` })),
)

/** Keywords whose values are data, or names, and no schemas. */
const NO_SCHEMAS = new Set(['example', 'examples', 'required', 'enum', 'mapping', 'x-extensible-enum'])

/** Every object of the document that may be a schema, in order of its place. */
function all(node: unknown, at = '#'): Found[] {
  if (Array.isArray(node)) return node.flatMap((each, place) => all(each, `${at}/${place}`))
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.entries(node)
    .filter(([name]) => at.endsWith('/properties') || !NO_SCHEMAS.has(name))
    .flatMap(([name, each]) => all(each, `${at}/${name}`))
  return [{ at, schema: node as Json }, ...inner]
}

const found = all(document)
const places = (when: (schema: Json, at: string) => boolean) =>
  found.filter(({ at, schema }) => !at.endsWith('/properties') && when(schema, at)).map(({ at }) => at)

/** The names of the schemas that the bodies of requests use. */
function namesInRequests(): Set<string> {
  const names = new Set<string>()
  const visit = (node: unknown) => {
    for (const [, name = ''] of JSON.stringify(node ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (names.has(name)) continue
      names.add(name)
      visit(schemas[name])
    }
  }
  for (const { requestBody } of operations) visit(requestBody)
  return names
}

test('no request has alternatives of objects: generators take one of them for the whole', () => {
  const requests = [...namesInRequests()]
  expect(requests.length).toBeGreaterThan(40)
  const divided = requests
    .flatMap((name) => all(schemas[name], name))
    .filter(({ schema }) => {
      const kinds = [schema['oneOf'], schema['allOf'], schema['anyOf']].flat().filter(Boolean) as Json[]
      return kinds.filter(({ type }) => type !== 'null' && type !== 'string' && type !== 'number').length > 1
    })
  expect(divided.map(({ at }) => at)).toEqual([])
})

test.each(['CardTokenRequest', 'OpenCard', 'VoucherTokenRequest', 'NetworkTokenRequest'])(
  'the card of a %s may be open or encrypted, by ordinary optional members',
  (name) => {
    const { properties, required = [] } = schemas[name] as { properties: Json; required?: string[] }
    expect(properties).toMatchObject({ cardNumber: { type: 'string' }, encryptedCard: { type: 'string' } })
    expect(properties['holder']).toHaveProperty('$ref')
    for (const member of ['cardNumber', 'holder', 'expiration', 'expires', 'encryptedCard'])
      expect(required).not.toContain(member)
  },
)

test('no body has a default: generators make such a member a required one', () => {
  expect(places((schema, at) => 'default' in schema && !at.includes('/parameters/'))).toEqual([])
  expect(JSON.stringify(schemas['ProductRequest'])).toContain('Default: true.')
})

test('no value has two types beside null', () => {
  const several = places(
    ({ type }) => Array.isArray(type) && type.filter((each) => each !== 'null').length > 1,
  )
  expect(several).toEqual([])
})

test('every integer has 64 bits', () => {
  const integers = places(({ type }) => [type].flat().includes('integer'))
  expect(integers.length).toBeGreaterThan(200)
  expect(places(({ type, format }) => [type].flat().includes('integer') && format !== 'int64')).toEqual([])
})

test('every constant has a type', () => {
  expect(places((schema) => 'const' in schema && schema['type'] === undefined)).toEqual([])
})

test('every object has a name', () => {
  const isNamed = (at: string) => /^#\/components\/schemas\/\w+$/.test(at)
  expect(places(({ properties }, at) => properties !== undefined && !isNamed(at))).toEqual([])
})

test('every problem is a response that operations share', () => {
  expect(Object.keys(responses).length).toBeGreaterThan(10)
  for (const { at, responses: given } of operations) {
    for (const [status, response] of Object.entries(given)) {
      // A readiness of 503 is no problem.
      if (Number(status) >= 400 && at !== 'get /readyz')
        expect([at, status, response['$ref']]).toEqual([at, status, expect.any(String)])
    }
  }
})

test('each operation stands once, under its own path, and is described', () => {
  expect(operations.map(({ at }) => at).sort()).toEqual(
    routes.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort(),
  )
  for (const { at, description } of operations) expect([at, description.length > 20]).toEqual([at, true])
  for (const { description } of document.tags) expect(description).toMatch(/\.$/)
  expect(routes.flatMap(pathsOf).length).toBeGreaterThan(operations.length)
})

test('an optional member of a request may be null where a read of the resource writes null', () => {
  const nullable = (name: string) =>
    Object.entries((schemas[name]?.['properties'] ?? {}) as Record<string, Json>)
      .filter(([, { type, anyOf }]) => JSON.stringify([type, anyOf]).includes('"null"'))
      .map(([member]) => member)
  expect(nullable('CustomerRequest')).toEqual(nullable('Customer'))
  expect(nullable('CustomerAddressRequest')).toContain('lineTwo')
  const ofProduct = nullable('Product').filter((name) => name !== 'paymentLinkUrl')
  expect(nullable('ProductRequest')).toEqual(ofProduct)
  expect(nullable('EndpointRequest')).toEqual(expect.arrayContaining(['events', 'description', 'rateLimit']))
  expect([...nullable('CaptureRequest'), ...nullable('RefundRequest')]).toEqual([])
})

test('one schema stands for every event, and its type says which schema the body has', () => {
  const { oneOf, discriminator } = schemas['Event'] as {
    oneOf: { $ref: string }[]
    discriminator: { propertyName: string; mapping: Record<string, string> }
  }
  expect(discriminator.propertyName).toBe('type')
  expect(Object.keys(discriminator.mapping).sort()).toEqual([...EVENT_TYPES].sort())
  for (const [type, $ref] of Object.entries(discriminator.mapping)) {
    expect(oneOf).toContainEqual({ $ref })
    const { properties } = schemas[$ref.split('/').at(-1) ?? ''] ?? {}
    const { type: types, resource } = properties as Record<string, Json>
    expect(types?.['enum']).toContain(type)
    const { schema, id } = kindOf(type as (typeof EVENT_TYPES)[number])
    expect(schema.meta()?.id).toBeDefined()
    const name = typeof id === 'number' ? 'NumberedResource' : 'TokenResource'
    expect(resource).toEqual({ $ref: `#/components/schemas/${name}` })
    expect(document.webhooks[type].post.requestBody.content['application/json'].schema).toEqual({ $ref })
  }
})

test('the data of every example of an event is what the event has', () => {
  for (const { type, body } of eventExamples(createSchemaBook(), BASE_URL))
    expect([type, kindOf(type).schema.safeParse(body['data']).error]).toEqual([type, undefined])
})

test('an enum that may grow lists its values, and allows others', () => {
  for (const name of GROWING_ENUMS) {
    expect(schemas[name]).toMatchObject({ type: 'string', 'x-extensible-enum': expect.any(Array) })
    expect(schemas[name]).not.toHaveProperty('enum')
  }
})

test('the document is small enough to be fetched', () => {
  expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(MAX_BYTES_OF_ONE * operations.length)
})
