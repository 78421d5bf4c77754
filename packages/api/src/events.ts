/** Topics of the event log, by publishing service or by subject. The number changes with an incompatible event. */
export const TOPICS = {
  orders: 'orders.v1',
  disputes: 'disputes.v1',
  'network-token': 'network-token.v1',
  /** Events of voucher tokens. */
  vouchers: 'vouchers.v1',
  'voucher-payments': 'voucher-payments.v1',
  invoices: 'invoices.v1',
  'recurring-invoices': 'recurring-invoices.v1',
  /** Money that no invoice took. */
  receipts: 'receipts.v1',
} as const

/** Every event type of a charge. */
export const CHARGE_EVENTS = [
  'charge.pending',
  'charge.authorized',
  'charge.denied',
  'charge.captured',
  'charge.refunded',
  'charge.voided',
  'charge.expired',
  'charge.failed',
  // An operation was answered PENDING, or not at all. It did not happen, or not on every card.
  'charge.capture_failed',
  'charge.refund_failed',
  'charge.void_failed',
  // A Pix that nobody owed went back: a second one, one of another amount, or one after the end.
  'charge.pix_returned',
] as const

/** Every event type of a dispute. */
export const DISPUTE_EVENTS = [
  // Again, when a later stage of the case opens it.
  'dispute.opened',
  'dispute.updated',
  // Three business days before its last day, once.
  'dispute.response_due',
  'dispute.won',
  // Decided for the card holder, accepted, or not answered in time.
  'dispute.lost',
] as const

/** Every event type of a network token. */
export const NETWORK_TOKEN_EVENTS = [
  'network_token.active',
  'network_token.failed',
  'network_token.inactive',
] as const

/** Every event type of a voucher token. */
export const VOUCHER_TOKEN_EVENTS = [
  'voucher_token.active',
  'voucher_token.denied',
  'voucher_token.expired',
  'voucher_token.failed',
] as const

/** Every event type of a voucher payment. */
export const VOUCHER_PAYMENT_EVENTS = [
  'voucher_payment.paid',
  'voucher_payment.denied',
  'voucher_payment.canceled',
  // A cancellation that was answered as pending did not happen, and can no longer happen.
  'voucher_payment.cancel_failed',
] as const

/** Every event type of an invoice. */
export const INVOICE_EVENTS = [
  'invoice.created',
  // A draft was replaced.
  'invoice.updated',
  'invoice.finalized',
  'invoice.paid',
  // A card was declined, or could not be charged. The invoice still awaits its payment.
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.uncollectible',
  'invoice.past_due',
  // A part was paid, and the rest is still owed.
  'invoice.partially_paid',
  // Money of it went back.
  'invoice.refunded',
  // A Pix was not given back, or a card payment that the invoice could not take. Cofre tries a card again.
  'invoice.refund_failed',
  // Right after invoice.paid: a payment link of a product made the invoice.
  'payment_link.paid',
] as const

/** Every event type of money that no invoice took. */
export const RECEIPT_EVENTS = [
  'receipt.unexpected',
  // Nothing of it waits any more: an invoice took it, it was returned, or it was kept.
  'receipt.resolved',
  // The bank did not give it back: it waits again.
  'receipt.return_failed',
  // The bank gave money back that had been kept.
  'receipt.taken_back',
] as const

/** Every event type of a recurring invoice. */
export const RECURRING_INVOICE_EVENTS = [
  'recurring_invoice.created',
  // A seller changed its card, its collection method, its day or its items.
  'recurring_invoice.updated',
  // The invoice of a cycle was made. It has its own events too.
  'recurring_invoice.cycle_billed',
  // The payer allowed Pix Automático, did not, let it lapse, or the payer, a bank or the seller ended it.
  'recurring_invoice.pix_permission_approved',
  'recurring_invoice.pix_permission_rejected',
  'recurring_invoice.pix_permission_expired',
  'recurring_invoice.pix_permission_cancelled',
] as const

export type ChargeEventType = (typeof CHARGE_EVENTS)[number]
export type DisputeEventType = (typeof DISPUTE_EVENTS)[number]
export type NetworkTokenEventType = (typeof NETWORK_TOKEN_EVENTS)[number]
export type VoucherTokenEventType = (typeof VOUCHER_TOKEN_EVENTS)[number]
export type VoucherPaymentEventType = (typeof VOUCHER_PAYMENT_EVENTS)[number]
export type InvoiceEventType = (typeof INVOICE_EVENTS)[number]
export type ReceiptEventType = (typeof RECEIPT_EVENTS)[number]
export type RecurringInvoiceEventType = (typeof RECURRING_INVOICE_EVENTS)[number]

/** The event types that an endpoint may ask for. A `test.ping` goes only to the endpoint that a request names. */
export const ENDPOINT_EVENTS = [
  ...CHARGE_EVENTS,
  ...DISPUTE_EVENTS,
  ...NETWORK_TOKEN_EVENTS,
  ...VOUCHER_TOKEN_EVENTS,
  ...VOUCHER_PAYMENT_EVENTS,
  ...INVOICE_EVENTS,
  ...RECURRING_INVOICE_EVENTS,
  ...RECEIPT_EVENTS,
  'endpoint.disabled',
] as const

/** The type of a notification. */
export type EventType = (typeof ENDPOINT_EVENTS)[number] | 'test.ping'

/** Every type of a notification. */
export const EVENT_TYPES: readonly EventType[] = [...ENDPOINT_EVENTS, 'test.ping']

/** Prefixes that stand for all types of a kind: `charge.*`. */
export const EVENT_PREFIXES: readonly string[] = [
  ...new Set(ENDPOINT_EVENTS.map((type) => `${type.split('.')[0]}.*`)),
]

/** The kind of the resource that an event is about: `charge`. A sale by a payment link is an invoice. */
export function resourceKindOf(type: string): string {
  const [kind = ''] = type.split('.')
  if (kind === 'payment_link') return 'invoice'
  return kind === 'test' ? 'endpoint' : kind
}

/** True when a filter, the name of a type or `charge.*`, stands for a type. */
export function matchesEvent(filter: string, type: string): boolean {
  return filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : filter === type
}

/** The types that any of the filters stands for. */
export function eventTypesOf(filters: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => filters.some((filter) => matchesEvent(filter, type)))
}
