import { problemSchema } from '@cofre/api/problem'
import type { z } from 'zod'
import { createSchemaBook, takeNullAsRead, type JsonSchema } from './openapi-schemas'
import { exampleOf, nameOfRef } from './openapi-examples'
import { HEADERS, PARAMETERS, refsOf } from './openapi-parts'
import { refusalsOf, type Refusals } from './openapi-problems'
import { inOrderOfUse, tagsOf } from './openapi-tags'
import { shareParameters } from './shared-parameters'
import { describeWebhooks, keepEvents, SIGNED_HEADERS } from './openapi-webhooks'
import { takesKey, type ResponseRule, type Route } from '../http/route'

type SchemaBook = ReturnType<typeof createSchemaBook>
type Made = { book: SchemaBook; refusals: Refusals }

const VERSION = '2.0.0'

/** The OpenAPI 3.1 document of the routes. */
export function describeApi(routes: readonly Route[], baseUrl: string): JsonSchema {
  const book = createSchemaBook()
  book.convert(problemSchema, 'output')
  const read = inOrderOfUse(routes)
  const refusals = refusalsOf(read, baseUrl)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const route of read) {
    const { method, path } = route
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf({ book, refusals }, route) }
  }
  keepEvents(book)
  takeNullAsRead(book.components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cofre API',
      version: VERSION,
      description: INTRODUCTION.replaceAll('{baseUrl}', baseUrl),
      contact: { name: 'Cofre', url: `${baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags: tagsOf(read),
    paths,
    webhooks: describeWebhooks(book, baseUrl),
    components: {
      schemas: book.components,
      headers: HEADERS,
      parameters: { ...PARAMETERS, ...SIGNED_HEADERS, ...shareParameters(paths) },
      responses: refusals.components,
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

Every error is a problem (RFC 9457); [its codes]({baseUrl}/docs/errors) are stable. Every POST, PUT and PATCH takes an
\`Idempotency-Key\`: a repeat with the same key and body gets the first answer. Cofre refuses a body member
or query parameter that an operation does not know, because a typo could move money. With the header
\`Prefer: handling=lenient\`, unknown members of a body are ignored: a misspelt \`amount\` then captures or refunds everything.

An optional member may be null: that is the same as leaving it out, and so is an empty list. The types of this document
show null only where an answer may have it. Only what decides how much money moves must not be null: \`amount\` and
\`amountInCents\` of a capture, refund, return or write-off, and \`returnedAt\`. A member that stands twice in an object is refused, and so is a number that a 64-bit float cannot hold exactly. A replacement (PUT) takes what a read answers: it ignores the members that only a read has. A change (PATCH) takes only what changes.`

/** The other paths of a route are left out: a generated client would have a function for each. The words name them. */
function operationOf({ book, refusals }: Made, route: Route): JsonSchema {
  const { scope, body } = route
  const description = [route.description, otherPathsOf(route), rightOf(route)].filter(Boolean).join('\n\n')
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description,
    security: scope === 'public' ? [] : [{ token: scope === 'any' ? [] : [scope] }],
    parameters: parametersOf(book, route),
    ...(body
      ? {
          requestBody: {
            required: body.required,
            content: { [typeOf(body)]: { schema: book.convert(body.schema, 'input') } },
          },
        }
      : {}),
    responses: { ...responsesOf(book, route), ...refusals.of(route) },
  }
}

function typeOf({ kind }: NonNullable<Route['body']>): string {
  return kind === 'form' ? 'multipart/form-data' : 'application/json'
}

function rightOf({ scope }: Route): string {
  if (scope === 'public') return 'This operation needs no access token.'
  if (scope === 'any') return 'This operation accepts any valid access token.'
  return `Your access token needs the scope \`${scope}\`.`
}

function otherPathsOf({ method, also = [] }: Route): string | undefined {
  if (also.length === 0) return undefined
  return `Also at ${also.map((path) => `\`${method} ${path}\``).join(', ')}.`
}

function parametersOf(book: SchemaBook, { method, path, params, query, translated }: Route): JsonSchema[] {
  const ofPath = params ? fieldsOf(book.convert(params, 'parameters')) : []
  const ofQuery = query ? fieldsOf(book.convert(query, 'parameters')) : []
  return [
    ...(path.includes('{sellerId}') ? [{ $ref: '#/components/parameters/SellerId' }] : []),
    ...ofPath.map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
    ...ofQuery.map(({ name, schema: { deprecated, ...schema }, required }) => ({
      name,
      in: 'query',
      required,
      ...(deprecated ? { deprecated } : {}),
      schema,
    })),
    ...(takesKey(method) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
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
  if (example !== undefined) return { schema: converted, example }
  const { $ref } = converted
  const named = typeof $ref === 'string' ? book.components[nameOfRef($ref)] : undefined
  // A named schema that has an example shows it once for all its answers.
  if (named?.['examples']) return { schema: converted }
  return { schema: converted, example: exampleOf(converted, book.components) }
}

function headersOf(route: Route, { headers = [], headersAtTimes = [] }: ResponseRule): JsonSchema {
  const kept = route.message && route.method !== 'GET' ? ['Idempotency-Replayed'] : []
  return refsOf([...headers, ...headersAtTimes, ...kept, ...headersOfAll(route)])
}

function headersOfAll({ uncounted }: Route): string[] {
  return ['X-Request-Id', ...(uncounted ? [] : ['RateLimit', 'RateLimit-Policy'])]
}
