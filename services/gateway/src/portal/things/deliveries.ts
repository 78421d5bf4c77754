import { deliveryStatus, type DeliveryDetailJson, type DeliveryJson } from '@cofre/api/delivery'
import { EVENT_PREFIXES, EVENT_TYPES } from '@cofre/api/events'
import { thing } from '../desk/thing'
import { link, time, word, type Badge, type Value } from '../words/value'
import { resourceLink } from './resource-link'

export const BADGES: Record<DeliveryJson['status'], Badge> = {
  PENDING: { text: 'Waiting', mood: 'waiting' },
  DELIVERED: { text: 'Delivered', mood: 'good' },
  FAILED: { text: 'Failed', mood: 'bad' },
}

const statusWords = (status: number | null): Value => (status === null ? word('No answer') : `HTTP ${status}`)

/** What the receiver answered last. */
export function answerOf({ attempts, lastStatus }: DeliveryJson): Value {
  return attempts === 0 ? null : statusWords(lastStatus)
}

export function isTest(webhookId: string): boolean {
  return webhookId.startsWith('evt_test_')
}

/** Where a delivery goes. */
export function endpointOf({ endpointId }: DeliveryJson): Value {
  if (endpointId === null) return word('The notificationUrl of the request')
  return link(`/endpoints/${endpointId}`, word('Endpoint {id}', { id: String(endpointId) }))
}

export const deliveries = thing<DeliveryJson, DeliveryDetailJson>({
  name: 'deliveries',
  many: 'Deliveries',
  none: 'There is no delivery yet. Cofre keeps each for 30 days.',
  under: 'integrations',
  right: 'developers',
  list: 'listDeliveries',
  read: 'getDelivery',
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      options: deliveryStatus.schema.options.map((each) => [each, BADGES[each].text]),
    },
    {
      name: 'type',
      label: 'Event',
      kind: 'choice',
      options: [...EVENT_PREFIXES, ...EVENT_TYPES].map((each) => [each, { own: each }]),
    },
    { name: 'endpointId', label: 'Endpoint', kind: 'text' },
    { name: 'resourceKind', label: 'Kind of the resource', kind: 'text' },
    { name: 'resourceId', label: 'Id of the resource', kind: 'text' },
    { name: 'createdFrom', label: 'From', kind: 'day' },
    { name: 'createdTo', label: 'To', kind: 'day' },
  ],
  columns: [
    { name: 'Event', of: ({ eventType }) => eventType, leads: true },
    { name: 'Status', of: ({ status }) => ({ badge: BADGES[status] }) },
    { name: 'Resource', of: ({ resource }) => resourceLink(resource) },
    { name: 'Answer', of: answerOf },
    { name: 'Created', of: ({ createdAt }) => ({ exactTime: createdAt }) },
    { name: 'Attempts', of: ({ attempts }) => attempts, number: true },
  ],
  heading: ({ id }) => word('Delivery {id}', { id: String(id) }),
  page: (delivery) => ({
    badge: BADGES[delivery.status],
    blocks: [
      {
        facts: [
          ['Event', link(`/events/${delivery.webhookId}`, delivery.eventType)],
          ['Test', isTest(delivery.webhookId) ? word('Yes') : null],
          ['Resource', resourceLink(delivery.resource)],
          ['Created', { exactTime: delivery.createdAt }],
          ['Sent to', endpointOf(delivery)],
          ['Next attempt', time(delivery.nextAttemptAt)],
        ],
      },
      {
        title: word('Attempts'),
        none: 'No attempt has ended yet.',
        table: {
          columns: [
            { name: 'Attempt', number: true },
            { name: 'Time' },
            { name: 'Answer' },
            { name: 'Took', number: true },
            { name: 'Details' },
          ],
          rows: delivery.attemptHistory.map(
            ({ number, at, status, durationMs, error, errorCode, response }) => [
              number,
              { exactTime: at },
              statusWords(status),
              `${durationMs} ms`,
              errorCode === null ? response : `${error} (${errorCode})`,
            ],
          ),
        },
      },
      {
        title: word('Request'),
        facts: [
          [{ text: 'URL' }, `POST ${delivery.url}`],
          [{ text: 'webhook-id' }, delivery.webhookId],
          [{ text: 'webhook-event' }, delivery.eventType],
        ],
        ...(delivery.body !== '' && { code: { label: 'Body, formatted', text: formatted(delivery.body) } }),
      },
    ],
  }),
  actions: [
    {
      operation: 'resendDelivery',
      name: 'resend',
      label: 'Send again',
      immediate: true,
      applies: () => true,
      says: () => word('Cofre sends the delivery again, with the same id and body.'),
      done: 'Cofre sends the delivery again, with the same id and body.',
    },
  ],
})

/** A body as JSON that is read by people. */
export function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
