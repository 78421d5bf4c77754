import { problemSchema } from '@cofre/api/problem'
import type { ProblemReason } from '@cofre/platform/reason'
import type { z } from 'zod'
import { createSchemaBook, type JsonSchema } from './openapi-schemas'
import { exampleOf, exampleProblem } from './openapi-examples'
import { HEADERS, PARAMETERS } from './openapi-parts'
import { describeWebhooks } from './openapi-webhooks'
import { PROBLEM_CODES } from '../http/problem-codes'
import { pathsOf, type ResponseRule, type Route } from '../http/route'

type SchemaBook = ReturnType<typeof createSchemaBook>
type Made = { book: SchemaBook; baseUrl: string }

const VERSION = '2.0.0'

/** The OpenAPI 3.1 document of the routes. */
export function describeApi(routes: readonly Route[], baseUrl: string): JsonSchema {
  const book = createSchemaBook()
  book.convert(problemSchema, 'output')
  const read = inOrderOfUse(routes)
  const paths: Record<string, JsonSchema> = {}
  for (const route of read) {
    for (const [at, path] of pathsOf(route).entries()) {
      const operation = operationOf({ book, baseUrl }, route, path, at)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cofre API',
      version: VERSION,
      description: INTRODUCTION.replaceAll('{baseUrl}', baseUrl),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags: [...new Set(read.map(({ tag }) => tag)), 'Events'].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(book, baseUrl),
    components: {
      schemas: book.components,
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token. Create one in the portal.',
        },
      },
    },
  }
}

const INTRODUCTION = `Take card payments without storing card numbers. Amounts are whole cents of BRL, times are epoch milliseconds.

Every error is a problem (RFC 9457); [its codes]({baseUrl}/docs/errors) are stable. Every POST and PUT takes an
\`Idempotency-Key\`: a repeat with the same key and body gets the first answer. Cofre refuses a body member
or query parameter that an operation does not know, because a typo could move money. With the header
\`Prefer: handling=lenient\`, unknown members of a body are ignored: a misspelt \`amount\` then captures or refunds everything.`

/** Tags in the order in which an integrator needs them. Other tags follow in the order of the routes. */
const ORDER_OF_USE = [
  'Cards',
  'Orders',
  'Charges',
  'Notifications',
  'Network tokens',
  'Vouchers',
  'Voucher payments',
  'Customers',
  'Products',
  'Invoices',
]

function inOrderOfUse(routes: readonly Route[]): Route[] {
  const placeOf = ({ tag }: Route) => {
    const place = ORDER_OF_USE.indexOf(tag)
    return place === -1 ? ORDER_OF_USE.length : place
  }
  return [...routes].sort((one, other) => placeOf(one) - placeOf(other) || stepOf(one) - stepOf(other))
}

/** The order within a tag: create, read one, act on one, list, POST without a body, replace, delete. */
function stepOf({ method, path, body }: Route): number {
  const isOfOne = path.replaceAll(/\{\w*[sS]ellerId\}/g, '').includes('{')
  if (method === 'POST') return isOfOne ? 2 : body ? 0 : 4
  if (method === 'GET') return isOfOne ? 1 : 3
  return method === 'PUT' ? 5 : 6
}

/** `at`: the index of the path among those of its route. The reference shows the first. */
function operationOf(made: Made, route: Route, path: string, at: number): JsonSchema {
  const { book } = made
  const { scope, body } = route
  const description = [route.description, at === 0 && otherPathsOf(route)].filter(Boolean).join('\n\n')
  return {
    // To the tools that read the document, every path of a route is an operation of its own.
    operationId: at === 0 ? route.operationId : `${route.operationId}${at + 1}`,
    tags: [route.tag],
    summary: at === 0 ? route.summary : `${route.summary} (alternative path)`,
    ...(description ? { description } : {}),
    ...(at === 0 ? {} : { 'x-internal': true }),
    security: scope === 'public' ? [] : [{ token: scope === 'any' ? [] : [scope] }],
    parameters: parametersOf(book, route, path),
    ...(body
      ? {
          requestBody: {
            required: body.required,
            content: { 'application/json': { schema: book.convert(body.schema, 'input') } },
          },
        }
      : {}),
    responses: { ...responsesOf(book, route), ...problemResponsesOf(made, route) },
  }
}

function otherPathsOf({ method, also = [] }: Route): string | undefined {
  if (also.length === 0) return undefined
  return `Also at ${also.map((path) => `\`${method} ${path}\``).join(', ')}.`
}

function parametersOf(
  book: SchemaBook,
  { method, params, query, translated }: Route,
  path: string,
): JsonSchema[] {
  const ofPath = params ? fieldsOf(book.convert(params, 'input')) : []
  const ofQuery = query ? fieldsOf(book.convert(query, 'input')) : []
  return [
    ...(path.includes('{sellerId}') ? [{ $ref: '#/components/parameters/SellerId' }] : []),
    ...(path.includes('{repeatedSellerId}') ? [{ $ref: '#/components/parameters/RepeatedSellerId' }] : []),
    ...ofPath.map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
    ...ofQuery.map(({ name, schema, required }) => ({ name, in: 'query', required, schema })),
    ...(method === 'POST' || method === 'PUT' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(translated ? [{ $ref: '#/components/parameters/AcceptLanguage' }] : []),
    { $ref: '#/components/parameters/RequestId' },
  ]
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
    name,
    schema,
    required: (required as string[]).includes(name),
  }))
}

function responsesOf(book: SchemaBook, route: Route): JsonSchema {
  const entries = Object.entries(route.responses).map(([status, response]) => {
    const { description, schema, example, contentType } = response
    const content = contentType
      ? { [contentType]: { schema: { type: 'string' } } }
      : schema && { 'application/json': jsonContent(book, schema, example) }
    return [
      status,
      { description, headers: headersOf(route, response), ...(content ? { content } : {}) },
    ] as const
  })
  return Object.fromEntries(entries)
}

function jsonContent(book: SchemaBook, schema: z.ZodType, example?: unknown): JsonSchema {
  const converted = book.convert(schema, 'output')
  return { schema: converted, example: example ?? exampleOf(converted, book.components) }
}

function headersOf(route: Route, { headers = [], headersAtTimes = [] }: ResponseRule): JsonSchema {
  const kept = route.message && route.method !== 'GET' ? ['Idempotency-Replayed'] : []
  return refsOf([...headers, ...headersAtTimes, ...kept, ...headersOfAll(route)])
}

function headersOfAll({ uncounted }: Route): string[] {
  return ['X-Request-Id', ...(uncounted ? [] : ['RateLimit', 'RateLimit-Policy'])]
}

function refsOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function problemResponsesOf({ baseUrl }: Made, route: Route): JsonSchema {
  const all = problemsOf(route)
  const instance = route.path.replace(/\{\w*[sS]ellerId\}/g, '1').replace(/\{\w+\}/g, '981')
  const place = route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body'
  const statusOf = (code: ProblemReason) => PROBLEM_CODES[code].status
  const entries = [...new Set(all.map(statusOf))].map((status) => {
    const codes = all.filter((code) => statusOf(code) === status)
    const description = codes.map((code) => `\`${code}\` ${PROBLEM_CODES[code].title}.`).join('\n\n')
    const examples = Object.fromEntries(
      codes.map((code) => [code, { value: exampleProblem(code, baseUrl, instance, place) }]),
    )
    const schema = { $ref: '#/components/schemas/Problem' }
    const content = { 'application/problem+json': { schema, examples } }
    return [
      status,
      { description, headers: refsOf([...(OWN_HEADERS[status] ?? []), 'X-Request-Id']), content },
    ] as const
  })
  return Object.fromEntries(entries)
}

const OWN_HEADERS: Readonly<Record<number, string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
}

/** Every error code that an operation may answer. */
export function problemsOf(route: Route): ProblemReason[] {
  const { body, method, scope, uncounted, placeless, params, query } = route
  const writes = method === 'POST' || method === 'PUT'
  const answered: [when: boolean, codes: readonly ProblemReason[]][] = [
    [body !== undefined || writes, ['MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE']],
    [body !== undefined || query !== undefined || writes, ['VALIDATION_FAILED']],
    [true, ['UNKNOWN_FIELD']],
    [scope !== 'public', ['TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED']],
    [scope !== 'public' && scope !== 'any', ['SCOPE_MISSING']],
    [params !== undefined || route.path.includes('{'), ['NOT_FOUND']],
    [writes, ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'OUTCOME_UNKNOWN', 'BODY_TOO_LARGE']],
    [true, route.problems ?? []],
    [!uncounted, ['RATE_LIMITED']],
    [!uncounted && !placeless, ['SERVICE_UNAVAILABLE']],
    [true, ['INTERNAL']],
  ]
  return answered.flatMap(([when, codes]) => (when ? codes : []))
}
