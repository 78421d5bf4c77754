/** Topics of the event log, by publishing service or by subject. The number changes with an incompatible event. */
export const TOPICS = {
  orders: 'orders.v1',
  'network-token': 'network-token.v1',
  /** Events of voucher tokens. */
  vouchers: 'vouchers.v1',
  'voucher-payments': 'voucher-payments.v1',
  invoices: 'invoices.v1',
  'recurring-invoices': 'recurring-invoices.v1',
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
] as const

/** Every event type of an invoice. */
export const INVOICE_EVENTS = [
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  // A card was declined, or could not be charged. The invoice still awaits its payment.
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.uncollectible',
  'invoice.past_due',
] as const

/** Every event type of a recurring invoice. */
export const RECURRING_INVOICE_EVENTS = [
  'recurring_invoice.created',
  // The invoice of a cycle was made. It has its own events too.
  'recurring_invoice.cycle_billed',
] as const

export type ChargeEventType = (typeof CHARGE_EVENTS)[number]
export type NetworkTokenEventType = (typeof NETWORK_TOKEN_EVENTS)[number]
export type VoucherTokenEventType = (typeof VOUCHER_TOKEN_EVENTS)[number]
export type VoucherPaymentEventType = (typeof VOUCHER_PAYMENT_EVENTS)[number]
export type InvoiceEventType = (typeof INVOICE_EVENTS)[number]
export type RecurringInvoiceEventType = (typeof RECURRING_INVOICE_EVENTS)[number]

/** The event types that an endpoint may ask for. A `test.ping` goes only to the endpoint that a request names. */
export const ENDPOINT_EVENTS = [
  ...CHARGE_EVENTS,
  ...NETWORK_TOKEN_EVENTS,
  ...VOUCHER_TOKEN_EVENTS,
  ...VOUCHER_PAYMENT_EVENTS,
  ...INVOICE_EVENTS,
  ...RECURRING_INVOICE_EVENTS,
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

/** True when a filter, the name of a type or `charge.*`, stands for a type. */
export function matchesEvent(filter: string, type: string): boolean {
  return filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : filter === type
}

/** The types that any of the filters stands for. */
export function eventTypesOf(filters: readonly string[]): EventType[] {
  return EVENT_TYPES.filter((type) => filters.some((filter) => matchesEvent(filter, type)))
}
