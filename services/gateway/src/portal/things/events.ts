import { EVENT_PREFIXES, EVENT_TYPES } from '@cofre/api/events'
import type { EventDetailJson, EventSummaryJson } from '@cofre/api/webhooks/event-summary'
import type { Ask } from '../desk/thing'
import { thing } from '../desk/thing'
import { link, word, type Value } from '../words/value'
import { answerOf, BADGES, endpointOf, formatted, isTest } from './deliveries'
import { resourceLink } from './resource-link'

/** As many as a seller may have, and more. */
const ENDPOINTS_MAX = '100'

/** Of each state that a delivery of the event is in, how many. */
function countsOf({ deliveryCounts: { pending, delivered, failed } }: EventSummaryJson): Value[] {
  return [
    word('Delivered: {count}', { count: delivered }),
    ...(pending > 0 ? [word('Waiting: {count}', { count: pending })] : []),
    ...(failed > 0 ? [word('Failed: {count}', { count: failed })] : []),
  ]
}

export const events = thing<EventSummaryJson, EventDetailJson>({
  name: 'events',
  many: 'Events',
  none: 'There is no event yet. Cofre keeps what an endpoint or a notificationUrl is to get, for 30 days.',
  under: 'integrations',
  right: 'developers',
  ids: /^evt_\w{1,100}$/,
  list: 'listEvents',
  read: 'getEvent',
  filters: [
    {
      name: 'type',
      label: 'Event',
      kind: 'choice',
      options: [...EVENT_PREFIXES, ...EVENT_TYPES].map((each) => [each, { own: each }]),
    },
    { name: 'resourceId', label: 'Id of the resource', kind: 'text' },
    { name: 'createdFrom', label: 'From', kind: 'day' },
    { name: 'createdTo', label: 'To', kind: 'day' },
  ],
  columns: [
    { name: 'Event', of: ({ type }) => type, leads: true },
    { name: 'Resource', of: ({ resource }) => resourceLink(resource) },
    { name: 'Deliveries', of: countsOf },
    { name: 'Created', of: ({ createdAt }) => ({ exactTime: createdAt }) },
  ],
  heading: ({ type }) => type,
  page: (event) => ({
    blocks: [
      {
        facts: [
          ['Id', event.id],
          ['Test', isTest(event.id) ? word('Yes') : null],
          ['Resource', resourceLink(event.resource)],
          ['Created', { exactTime: event.createdAt }],
        ],
      },
      {
        title: word('Deliveries'),
        table: {
          columns: [
            { name: 'Delivery' },
            { name: 'Sent to' },
            { name: 'Status' },
            { name: 'Answer' },
            { name: 'Attempts', number: true },
          ],
          rows: event.deliveries.map((delivery) => [
            link(`/deliveries/${delivery.id}`, String(delivery.id)),
            endpointOf(delivery),
            { badge: BADGES[delivery.status] },
            answerOf(delivery),
            delivery.attempts,
          ]),
        },
      },
      ...(event.body === ''
        ? []
        : [
            { title: word('Body'), code: { label: 'Body, formatted', text: formatted(event.body) } } as const,
          ]),
    ],
  }),
  actions: [
    {
      operation: 'resendEvent',
      name: 'resend',
      label: 'Send again',
      applies: () => true,
      says: () =>
        word('The endpoint gets the event with the same id and body, also if it never got it before.'),
      fields: async (_event, ask) => [
        {
          name: 'endpointId',
          label: 'Endpoint',
          kind: 'choice',
          required: true,
          options: await endpointOptions(ask),
        },
      ],
      body: ({ endpointId }) => ({ body: { endpointId: Number(endpointId) } }),
      done: 'Cofre sends the event to the endpoint.',
    },
  ],
})

async function endpointOptions(ask: Ask) {
  const { content } = (await ask('listEndpoints', { size: ENDPOINTS_MAX })) as {
    content: { id: number; url: string }[]
  }
  return content.map(({ id, url }) => [String(id), { own: url }] as const)
}
