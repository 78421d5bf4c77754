import { EVENT_TYPES, type EventType } from '@cofre/api/events'
import { eventExamples, kindOf, type SchemaBook } from './event-examples'
import type { JsonSchema } from './openapi-schemas'

const DESCRIPTION =
  'Sent to each endpoint that subscribes to it. Answer 2xx within 15 seconds. Verify the signature (Standard Webhooks) and drop a repeated `webhook-id`.'

/** The section `webhooks` of the document. */
export function describeWebhooks(book: SchemaBook, baseUrl: string): JsonSchema {
  const parameters = Object.keys(SIGNED_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const entries = eventExamples(book, baseUrl).map(({ type, meaning, body }) => {
    const schema = { $ref: refOf(nameOf(type)) }
    const post = {
      operationId: `on.${type}`,
      tags: ['Events'],
      summary: meaning,
      description: DESCRIPTION,
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema, example: body } } },
      responses: { '2XX': { description: 'Received. Cofre does not send this event again.' } },
    }
    return [type, { post }] as const
  })
  return Object.fromEntries(entries)
}

const HEADERS: [name: string, description: string, required?: false][] = [
  ['webhook-id', 'The id of the event. Every attempt has the same id.'],
  ['webhook-timestamp', 'When this attempt was signed, in epoch seconds.'],
  [
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of an HMAC-SHA256.',
  ],
  ['webhook-event', 'The type of the event.'],
  ['webhook-resource', 'The URL of the resource.'],
  ['webhook-test', '`true` for a sample that you asked for. Real events do not have it.', false],
]

/** The headers of every event, by the names of their components. */
export const SIGNED_HEADERS: Record<string, JsonSchema> = Object.fromEntries(
  HEADERS.map(([name, description, required = true]) => [
    wordOf(name),
    { name, in: 'header', required, description, schema: { type: 'string' } },
  ]),
)

/** Keeps a schema for the events of each kind, and `Event`, which is any of them: its `type` says which. */
export function keepEvents(book: SchemaBook): void {
  const typesOf = new Map<string, EventType[]>()
  for (const type of EVENT_TYPES) typesOf.set(nameOf(type), [...(typesOf.get(nameOf(type)) ?? []), type])
  book.keep('NumberedResource', resourceSchema({ type: 'integer', format: 'int64' }))
  book.keep('TokenResource', resourceSchema({ type: 'string', description: 'The token.' }))
  for (const [name, types] of typesOf) book.keep(name, eventSchema(types, book))
  book.keep('Event', {
    description:
      'What Cofre sends to an endpoint. More types may follow: ignore an event whose `webhook-event` you do not know.',
    oneOf: [...typesOf.keys()].map((name) => ({ $ref: refOf(name) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, refOf(nameOf(type))])),
    },
  })
}

/** `VoucherTokenEvent` for `voucher_token.active`. */
function nameOf(type: EventType): string {
  return `${wordOf(type.split('.')[0] ?? '')}Event`
}

function wordOf(name: string): string {
  return name.replaceAll(/(?:^|[-_])(\w)/g, (_all, letter: string) => letter.toUpperCase())
}

function refOf(name: string): string {
  return `#/components/schemas/${name}`
}

function resourceSchema(id: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['kind', 'id', 'url'],
    properties: { kind: { type: 'string' }, id, url: { type: 'string', format: 'uri' } },
  }
}

function eventSchema(types: readonly EventType[], book: SchemaBook): JsonSchema {
  const [first] = types
  if (!first) throw new Error('a kind of events without a type')
  const { schema, id } = kindOf(first)
  const text = { type: 'string' }
  const integer = { type: 'integer', format: 'int64' }
  return {
    type: 'object',
    required: ['id', 'type', 'createdAt', 'sellerId', 'sequence', 'resource', 'data'],
    properties: {
      id: text,
      type: { type: 'string', enum: types },
      test: {
        type: 'boolean',
        const: true,
        description: 'Only samples that you asked for have it. Ignore them in production.',
      },
      createdAt: { ...integer, description: 'Epoch milliseconds.' },
      sellerId: integer,
      sequence: { ...integer, description: 'Grows with each event of the resource.' },
      resource: { $ref: refOf(typeof id === 'number' ? 'NumberedResource' : 'TokenResource') },
      data: book.convert(schema, 'output'),
    },
  }
}
