/** The topics of the event log, by the service that publishes there. The number changes with an incompatible event. */
export const TOPICS = { orders: 'orders.v1', 'network-token': 'network-token.v1' } as const

/** Everything that may be published of a charge. */
export const CHARGE_EVENTS = [
  'charge.pending',
  'charge.authorized',
  'charge.denied',
  'charge.captured',
  'charge.refunded',
  'charge.voided',
  'charge.expired',
  'charge.failed',
] as const

/** Everything that may be published of a network token. */
export const NETWORK_TOKEN_EVENTS = [
  'network_token.active',
  'network_token.failed',
  'network_token.inactive',
] as const

export type ChargeEventType = (typeof CHARGE_EVENTS)[number]
export type NetworkTokenEventType = (typeof NETWORK_TOKEN_EVENTS)[number]

/** The event types that an endpoint may ask for. A `test.ping` goes to the endpoint that it is asked for. */
export const ENDPOINT_EVENTS = [...CHARGE_EVENTS, ...NETWORK_TOKEN_EVENTS, 'endpoint.disabled'] as const

/** The type of a notification. */
export type EventType = (typeof ENDPOINT_EVENTS)[number] | 'test.ping'
