import { unexpectedReceiptSchema } from '@cofre/api/boleto'
import { chargeSchema } from '@cofre/api/charge'
import { disputeSchema } from '@cofre/api/disputes/dispute'
import { ENDPOINT_EVENTS, resourceKindOf, type EventType } from '@cofre/api/events'
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

export type SchemaBook = ReturnType<typeof createSchemaBook>
export type Kind = { schema: z.ZodType; path: string; id: number | string }

const TOKEN = 'f3a1'.repeat(16)
const endpointSchema = z
  .object({ id: z.int(), url: z.url() })
  .meta({ id: 'EndpointNotice', examples: [{ id: 7, url: 'https://shop.example/hooks' }] })

/** The resource of an event, by the first word of the event's type. */
const KINDS: Readonly<Record<string, Kind>> = {
  charge: { schema: chargeSchema, path: '/api/v2/charges/981', id: 981 },
  dispute: { schema: disputeSchema, path: '/api/v2/disputes/41', id: 41 },
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
  payment_link: { schema: invoiceSchema, path: '/api/v2/invoices/77', id: 77 },
  recurring_invoice: { schema: recurringEventSchema, path: '/api/v2/recurring-invoices/12', id: 12 },
  receipt: { schema: unexpectedReceiptSchema, path: '/api/v2/invoices/unexpected-receipts/12', id: 12 },
  endpoint: { schema: endpointSchema, path: '/api/v2/webhooks/endpoints/7', id: 7 },
  test: { schema: endpointSchema, path: '/api/v2/webhooks/endpoints/7', id: 7 },
}

/** When Cofre sends each event. */
const MEANINGS: Readonly<Record<EventType, string>> = {
  'charge.pending':
    'The charge waits for its Pix, or for an answer of the acquirer. Cofre asks for the outcome.',
  'charge.authorized': 'The issuers authorized every payment of the charge.',
  'charge.denied': 'An issuer declined a payment. Each payment has its decline.',
  'charge.captured': 'The charge was captured, fully or in part.',
  'charge.refunded': 'A refund succeeded, full or partial.',
  'charge.voided': 'The authorization was voided before capture.',
  'charge.expired':
    'The authorization expired without a capture. Or the Pix can no longer be paid: nobody paid in time, or you cancelled it.',
  'charge.failed': 'The charge failed before an issuer answered. No money moved.',
  'charge.capture_failed': 'A PENDING capture failed, on at least one card.',
  'charge.refund_failed': 'A PENDING refund failed, by Pix or on at least one card.',
  'charge.void_failed':
    'A PENDING void failed, on at least one card. Or a Pix that nobody owed could not be given back: return it at your bank.',
  'charge.pix_returned':
    'Cofre gave back a Pix that nobody owed: a second one, one of another amount, or one after the end. Its VOID has `endToEndId`.',
  'dispute.opened': 'A card holder disputes a charge, or a later stage opened the dispute again. Answer it.',
  'dispute.updated': 'Something of the dispute changed. Read its status.',
  'dispute.response_due': 'At most three business days are left for your answer.',
  'dispute.won': 'The issuer decided for you. The money came back.',
  'dispute.lost': 'The money stays with the card holder: you lost, accepted, or did not answer in time.',
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
  'voucher_payment.cancel_failed': 'A pending cancellation did not happen. The payment stays PAID.',
  'invoice.created': 'You created the invoice, or a payment link did. It is a draft.',
  'invoice.updated': 'You changed the draft.',
  'invoice.finalized': 'You finalized the invoice. The customer can pay it.',
  'invoice.paid': 'Nothing of the invoice is owed any more.',
  'invoice.payment_failed': 'A card could not be charged. The invoice still awaits its payment.',
  'invoice.voided': 'You voided the invoice. Or nobody paid in time what was to be bought by a payment link.',
  'invoice.uncollectible': 'You marked the invoice as uncollectible.',
  'invoice.past_due': 'The due date has passed without a payment.',
  'invoice.partially_paid': 'A part of the invoice was paid. `balanceInCents` is still owed.',
  'invoice.refunded': 'Money of the invoice went back, by card or otherwise.',
  'invoice.refund_failed':
    'The bank did not give a Pix back. Or the acquirer refused to give back a card payment that the invoice could not take; Cofre tries that again.',
  'payment_link.paid':
    'A purchase by the payment link of a product is paid, right after its invoice.paid. `paymentLinkProductId` names the product.',
  'recurring_invoice.created': 'You created the recurring invoice or the booklet.',
  'recurring_invoice.updated':
    'You changed the card, the collection method, the day or the items. `changedFields` names what changed.',
  'recurring_invoice.cycle_billed': 'Cofre made the invoice of a cycle. `invoiceId` and `cycle` identify it.',
  'recurring_invoice.pix_permission_approved':
    'The payer allowed Pix Automático: the invoices of the next cycles are collected by it.',
  'recurring_invoice.pix_permission_rejected': 'The payer did not allow Pix Automático.',
  'recurring_invoice.pix_permission_expired': 'The payer did not decide on Pix Automático in time.',
  'recurring_invoice.pix_permission_cancelled':
    'The payer, a bank or you ended Pix Automático. `endedBy` and `code` say who and why.',
  'receipt.unexpected': 'Money came in that no invoice took. Apply it, return it, or keep it.',
  'receipt.resolved': 'Nothing of the receipt waits any more.',
  'receipt.return_failed': 'The bank did not give the money back. It waits for you again.',
  'receipt.taken_back':
    'The bank gave money of the receipt back that you had kept: the payer reported fraud, or the bank made an error.',
  'endpoint.disabled': 'Cofre disabled one of your endpoints. Your other endpoints get this event.',
  'test.ping': 'You asked Cofre to ping an endpoint.',
}

/** The resource right after an event. The other events show the example of the schema. */
const SAMPLES: Partial<Record<EventType, object>> = {
  ...CHARGE_SAMPLES,
  ...INVOICE_SAMPLES,
  ...RECURRING_SAMPLES,
}

const EVIDENCE = {
  fileName: 'entrega.pdf',
  contentType: 'application/pdf',
  size: 182_044,
  reason: 'O titular assinou a entrega.',
  submittedAt: 1_767_366_000_000,
}

/** Members that an event changes in the example of its resource. */
const CHANGES: Partial<Record<EventType, object>> = {
  'dispute.updated': { status: 'UNDER_REVIEW', evidence: EVIDENCE },
  'dispute.won': { status: 'WON', withdrawnAmount: 0, evidence: EVIDENCE },
  'dispute.lost': { status: 'LOST', evidence: EVIDENCE },
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
  'voucher_payment.cancel_failed': { cancelFailedAt: 1_767_236_400_000 },
  'receipt.resolved': {
    openInCents: 0,
    outcome: 'RETURNED',
    resolvedAt: 1_783_738_800_000,
    resolution: 'Returned to the payer.',
  },
  'receipt.taken_back': {
    reason: 'UNKNOWN_PIX',
    receivedInCents: 20,
    invoiceId: null,
    boletoId: null,
    ourNumber: null,
    openInCents: 0,
    outcome: 'KEPT',
    resolvedAt: 1_783_738_800_000,
    resolution: 'The payer wants it as credit.',
  },
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
    const resource = { kind: resourceKindOf(type), id, url: `${baseUrl}${path}` }
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

/** The kind of an event's resource. */
export function kindOf(type: EventType): Kind {
  const kind = KINDS[type.split('.')[0] ?? '']
  if (!kind) throw new Error('an event of no known kind')
  return kind
}
