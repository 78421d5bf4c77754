import { chargeSchema } from '@cofre/api/charge'
import { ENDPOINT_EVENTS, type EventType } from '@cofre/api/events'
import { invoiceSchema } from '@cofre/api/invoice'
import { networkTokenNotificationSchema } from '@cofre/api/network-token'
import { recurringEventSchema } from '@cofre/api/recurring-invoice'
import { voucherPaymentSchema } from '@cofre/api/vouchers/voucher-payment'
import { voucherTokenNotificationSchema } from '@cofre/api/vouchers/voucher-token'
import { z } from 'zod'
import { exampleOf } from './openapi-examples'
import type { createSchemaBook, JsonSchema } from './openapi-schemas'
import { CHARGE_SAMPLES } from './sample-charges'
import { INVOICE_SAMPLES, RECURRING_SAMPLES } from './sample-invoices'

type SchemaBook = ReturnType<typeof createSchemaBook>
type Kind = { schema: z.ZodType; path: string; id: number | string }

const TOKEN = 'f3a1'.repeat(16)
const endpointSchema = z
  .object({ id: z.int(), url: z.url() })
  .meta({ id: 'EndpointNotice', examples: [{ id: 7, url: 'https://shop.example/hooks' }] })

/** The resource of an event, by the first word of the event's type. */
const KINDS: Readonly<Record<string, Kind>> = {
  charge: { schema: chargeSchema, path: '/api/v2/charges/981', id: 981 },
  network_token: {
    schema: networkTokenNotificationSchema,
    path: `/api/v2/cards/tokens/network/${TOKEN}`,
    id: TOKEN,
  },
  voucher_token: {
    schema: voucherTokenNotificationSchema,
    path: `/api/v2/sellers/1/vouchers/tokens/${TOKEN}`,
    id: TOKEN,
  },
  voucher_payment: { schema: voucherPaymentSchema, path: '/api/v2/sellers/1/vouchers/payments/31', id: 31 },
  invoice: { schema: invoiceSchema, path: '/api/v2/invoices/77', id: 77 },
  recurring_invoice: { schema: recurringEventSchema, path: '/api/v2/recurring-invoices/12', id: 12 },
  endpoint: { schema: endpointSchema, path: '/api/v2/webhooks/endpoints/7', id: 7 },
  test: { schema: endpointSchema, path: '/api/v2/webhooks/endpoints/7', id: 7 },
}

/** When Cofre sends each event. */
const MEANINGS: Readonly<Record<EventType, string>> = {
  'charge.pending': 'The acquirer has not answered yet. Cofre asks it for the outcome.',
  'charge.authorized': 'The issuers authorized every payment of the charge.',
  'charge.denied': 'An issuer declined a payment. Each payment has its decline.',
  'charge.captured': 'The charge was captured, fully or in part.',
  'charge.refunded': 'A refund succeeded, full or partial.',
  'charge.voided': 'The authorization was voided before capture.',
  'charge.expired': 'The authorization expired without a capture.',
  'charge.failed': 'The charge failed before an issuer answered. No money moved.',
  'charge.capture_failed': 'A PENDING capture failed, on at least one card.',
  'charge.refund_failed': 'A PENDING refund failed, on at least one card.',
  'charge.void_failed': 'A PENDING void failed, on at least one card.',
  'network_token.active': 'The network token is ready to be charged.',
  'network_token.failed': 'The card network did not issue the token. `reason` says why.',
  'network_token.inactive': 'The network token can no longer be charged.',
  'voucher_token.active': 'The voucher token is ready to be charged.',
  'voucher_token.denied': 'The cardholder or the voucher issuer refused the token.',
  'voucher_token.expired': 'The cardholder did not finish in time.',
  'voucher_token.failed': 'The voucher issuer could not make the token.',
  'voucher_payment.paid': 'The voucher issuer approved the payment.',
  'voucher_payment.denied': 'The voucher issuer declined the payment.',
  'voucher_payment.canceled': 'The payment was canceled and the money was returned.',
  'invoice.created': 'You created the invoice. It is a draft.',
  'invoice.finalized': 'You finalized the invoice. The customer can pay it.',
  'invoice.paid': 'The invoice was paid, by card or boleto.',
  'invoice.payment_failed': 'A card could not be charged. The invoice still awaits its payment.',
  'invoice.voided': 'You voided the invoice.',
  'invoice.uncollectible': 'You marked the invoice as uncollectible.',
  'invoice.past_due': 'The due date has passed without a payment.',
  'recurring_invoice.created': 'You created the recurring invoice or the booklet.',
  'recurring_invoice.cycle_billed': 'Cofre made the invoice of a cycle. `invoiceId` and `cycle` identify it.',
  'endpoint.disabled': 'Cofre disabled one of your endpoints. Your other endpoints get this event.',
  'test.ping': 'You asked Cofre to ping an endpoint.',
}

/** The resource right after an event. The other events show the example of the schema. */
const SAMPLES: Partial<Record<EventType, object>> = {
  ...CHARGE_SAMPLES,
  ...INVOICE_SAMPLES,
  ...RECURRING_SAMPLES,
}

/** Members that an event changes in the example of its resource. */
const CHANGES: Partial<Record<EventType, object>> = {
  'network_token.failed': { status: 'FAILED', reason: 'ISSUER_DECLINED' },
  'network_token.inactive': { status: 'INACTIVE' },
  'voucher_token.denied': { status: 'DENIED', reason: 'ACCESS_DENIED', lastFour: null },
  'voucher_token.expired': { status: 'EXPIRED', reason: 'AUTHORIZATION_EXPIRED', lastFour: null },
  'voucher_token.failed': { status: 'FAILED', reason: 'PROVIDER_ERROR', lastFour: null },
  'voucher_payment.denied': {
    status: 'DENIED',
    authorizationCode: null,
    decline: {
      code: 'INSUFFICIENT_FUNDS',
      issuerCode: '51',
      message: 'The card does not have enough limit or balance for this amount.',
      retryable: true,
      advice: 'TRY_LATER',
    },
  },
  'voucher_payment.canceled': { status: 'CANCELED' },
}

export type EventExample = { type: EventType; kind: string; meaning: string; body: JsonSchema }

/** Returns every event type with its meaning and an example of the body that an endpoint receives. */
export function eventExamples(book: SchemaBook, baseUrl: string): EventExample[] {
  return ([...ENDPOINT_EVENTS, 'test.ping'] as const).map((type) => {
    const kind = type.split('.')[0] ?? ''
    const { schema, path, id } = kindOf(type)
    const data: object = {
      ...(SAMPLES[type] ?? (exampleOf(book.convert(schema, 'output'), book.components) as object)),
      ...CHANGES[type],
    }
    const resource = { kind: kind === 'test' ? 'endpoint' : kind, id, url: `${baseUrl}${path}` }
    const body = {
      id: 'evt_0b8f6c1d2e3a4f5b8c7d9e0f1a2b3c4d',
      type,
      createdAt: (data as { updatedAt?: number }).updatedAt ?? 1_767_225_600_412,
      sellerId: 1,
      sequence: 2,
      resource,
      data,
    }
    return { type, kind, meaning: MEANINGS[type], body }
  })
}

function kindOf(type: EventType): Kind {
  const kind = KINDS[type.split('.')[0] ?? '']
  if (!kind) throw new Error('an event of no known kind')
  return kind
}

const DESCRIPTION =
  'Sent to each endpoint that subscribes to it. Answer 2xx within 15 seconds. Verify the signature (Standard Webhooks) and drop a repeated `webhook-id`.'

/** The section `webhooks` of the document. */
export function describeWebhooks(book: SchemaBook, baseUrl: string): JsonSchema {
  const entries = eventExamples(book, baseUrl).map(({ type, meaning, body }) => {
    const post = {
      operationId: `on.${type}`,
      tags: ['Events'],
      summary: meaning,
      description: DESCRIPTION,
      security: [],
      parameters: SIGNED_HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: envelopeOf(type, book.convert(kindOf(type).schema, 'output')),
            example: body,
          },
        },
      },
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
const SIGNED_HEADERS = HEADERS.map(([name, description, required = true]) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
}))

function envelopeOf(type: string, data: JsonSchema): JsonSchema {
  const text = { type: 'string' }
  const integer = { type: 'integer', format: 'int64' }
  const resource = {
    type: 'object',
    required: ['kind', 'id', 'url'],
    properties: { kind: text, id: { type: ['integer', 'string'] }, url: { type: 'string', format: 'uri' } },
  }
  return {
    type: 'object',
    required: ['id', 'type', 'createdAt', 'sellerId', 'sequence', 'resource', 'data'],
    properties: {
      id: text,
      type: { const: type },
      test: {
        const: true,
        description: 'Only samples that you asked for have it. Ignore them in production.',
      },
      createdAt: integer,
      sellerId: integer,
      sequence: { ...integer, description: 'Grows with each event of the resource.' },
      resource,
      data,
    },
  }
}
