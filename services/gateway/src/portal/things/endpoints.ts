import { EVENT_PREFIXES, EVENT_TYPES } from '@cofre/api/events'
import type { EndpointJson, EndpointReadJson } from '@cofre/api/endpoint'
import { localTimeOf } from '@cofre/platform/calendar-day'
import type { Field } from '../desk/fields'
import { thing } from '../desk/thing'
import { time, word, type Badge } from '../words/value'

const DAY_MS = 86_400_000

function badgeOf({ status }: EndpointJson): Badge {
  return status === 'ENABLED' ? { text: 'Enabled', mood: 'good' } : { text: 'Disabled', mood: 'bad' }
}

const own = (text: string) => [text, { own: text }] as const

function fieldsOf(endpoint?: EndpointJson): Field[] {
  const { url = '', events, description, rateLimit } = endpoint ?? {}
  return [
    { name: 'url', label: 'URL', kind: 'text', required: true, value: url },
    { name: 'description', label: 'Description', kind: 'text', value: description ?? '' },
    {
      name: 'events',
      label: 'Events',
      kind: 'choices',
      hint: word('Without a choice, the endpoint gets every event, including those of later versions.'),
      options: [...EVENT_PREFIXES, ...EVENT_TYPES].map(own),
      value: (events ?? []).join(' '),
    },
    {
      name: 'rateLimit',
      label: 'Attempts per second, at most',
      kind: 'number',
      value: rateLimit ? String(rateLimit) : '',
    },
  ]
}

/** A count of the last day, which ends at a number for an endpoint with very many. */
const counted = (count: number, isLowerBound: boolean) =>
  isLowerBound && count > 0 ? word('More than {total}', { total: count }) : count

export const endpoints = thing<EndpointReadJson, EndpointReadJson>({
  name: 'endpoints',
  many: 'Webhooks',
  none: 'You have no endpoints yet. Create one to hear of each payment at once.',
  under: 'integrations',
  right: 'developers',
  list: 'listEndpoints',
  read: 'getEndpoint',
  filters: [],
  columns: [
    { name: 'URL', of: ({ url }) => url, leads: true },
    { name: 'Status', of: (endpoint) => ({ badge: badgeOf(endpoint) }) },
    {
      name: 'Delivered today',
      of: ({ health }) => counted(health.delivered, health.isLowerBound),
      number: true,
    },
    { name: 'Failed today', of: ({ health }) => counted(health.failed, health.isLowerBound), number: true },
    { name: 'Waiting', of: ({ health }) => counted(health.pending, health.isLowerBound), number: true },
  ],
  heading: ({ id }) => word('Endpoint {id}', { id: String(id) }),
  page: (endpoint) => {
    const { id, health } = endpoint
    return {
      badge: badgeOf(endpoint),
      blocks: [
        {
          ...(endpoint.status === 'DISABLED' && {
            alert: {
              title: word('Cofre disabled this endpoint.'),
              text: word(
                'It answered 410, or failed for five days. Its deliveries wait until you enable it.',
              ),
            },
          }),
          facts: [
            ['URL', endpoint.url],
            ['Description', endpoint.description],
            ['Events', endpoint.events ?? word('All')],
            ['Your headers', endpoint.headerNames],
            ['Attempts per second, at most', endpoint.rateLimit],
            ['Created', time(endpoint.createdAt)],
          ],
        },
        {
          title: word('Last 24 hours'),
          facts: [
            ['Delivered', counted(health.delivered, health.isLowerBound)],
            ['Failed', counted(health.failed, health.isLowerBound)],
            ['Waiting', counted(health.pending, health.isLowerBound)],
            ['Median time to answer', health.medianMs === null ? null : `${health.medianMs} ms`],
            ['Deliveries', { to: `/deliveries?endpointId=${id}`, text: word('Show them') }],
          ],
        },
      ],
    }
  },
  creations: [
    {
      name: 'new',
      operation: 'createEndpoint',
      label: 'New endpoint',
      fields: async () => fieldsOf(),
      done: 'The endpoint was created.',
    },
  ],
  actions: [
    {
      operation: 'enableEndpoint',
      name: 'enable',
      label: 'Enable',
      immediate: true,
      applies: ({ status }) => status === 'DISABLED',
      says: () => word('Cofre sends the waiting deliveries in order.'),
      done: 'The endpoint is enabled. Cofre sends the waiting deliveries in order.',
    },
    {
      operation: 'pingEndpoint',
      name: 'ping',
      label: 'Send a ping',
      immediate: true,
      applies: () => true,
      says: () => word('Your server gets the event test.ping.'),
      done: 'A ping was sent.',
    },
    {
      operation: 'sendTestEvent',
      name: 'test',
      label: 'Send a test event',
      applies: () => true,
      says: () => word('Your server gets a sample, marked as a test. Its ids do not exist.'),
      fields: () => [
        {
          name: 'type',
          label: 'Event',
          kind: 'choice',
          options: EVENT_TYPES.map(own),
          value: 'charge.captured',
        },
      ],
      body: ({ type }, { id }) => ({ body: { type, endpointId: id } }),
      done: 'The test event was sent.',
    },
    {
      operation: 'recoverEndpoint',
      name: 'recover',
      label: 'Send what was missed',
      applies: () => true,
      says: () =>
        word('Cofre sends each delivery that failed or waits since this time, at once and in order.'),
      fields: () => [
        {
          name: 'since',
          label: 'Since',
          kind: 'moment',
          required: true,
          value: localTimeOf(Date.now() - DAY_MS),
        },
      ],
      done: ({ deliveries }: { deliveries: number }) =>
        word('Deliveries that are sent again: {count}', { count: deliveries }),
    },
    {
      operation: 'replaceEndpoint',
      name: 'edit',
      label: 'Edit',
      applies: () => true,
      says: () => word('Waiting deliveries go to the new URL. The secret and your headers stay.'),
      fields: fieldsOf,
      done: 'The endpoint was changed.',
    },
    {
      operation: 'rotateEndpointSecret',
      name: 'rotate-secret',
      label: 'Rotate the secret',
      danger: true,
      confirms: true,
      applies: () => true,
      says: () =>
        word('For 24 hours, Cofre also signs with the old secret, so that you can change your server.'),
      done: 'The secret was rotated. For 24 hours, Cofre also signs with the old secret.',
    },
    {
      operation: 'deleteEndpoint',
      name: 'delete',
      label: 'Delete',
      danger: true,
      removes: true,
      applies: () => true,
      says: () => word('Its waiting deliveries fail. You cannot undo this.'),
      done: 'The endpoint was deleted.',
    },
  ],
})
