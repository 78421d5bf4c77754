import type { RequestRecord, RequestRecordDetail } from '../../history/request-record'
import { thing } from '../desk/thing'
import { word, type Badge, type Value } from '../words/value'
import { resourceLink, resourceOf } from './resource-link'

function badgeOf({ status }: RequestRecord): Badge {
  if (status === null) return { text: 'Not answered', mood: 'bad' }
  if (status >= 500) return { text: 'Failed', mood: 'bad' }
  return status >= 400 ? { text: 'Refused', mood: 'waiting' } : { text: 'Answered', mood: 'good' }
}

/** What a request made or changed: its path or its answer names it. */
function madeBy({ path, status, answer }: RequestRecordDetail): Value {
  if (status === null || status >= 400) return null
  const resource = resourceOf({ path, answer })
  return resource === undefined ? null : resourceLink(resource)
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2)

export const requests = thing<RequestRecord, RequestRecordDetail>({
  name: 'requests',
  many: 'API requests',
  none: 'There is no request yet. Cofre keeps each for 30 days, without card data and personal data.',
  under: 'integrations',
  right: 'developers',
  ids: /^[\da-f]{32}$/,
  list: 'listRequests',
  read: 'getRequestRecord',
  filters: [
    {
      name: 'method',
      label: 'HTTP method',
      kind: 'choice',
      options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((each) => [each, { own: each }]),
    },
    { name: 'status', label: 'HTTP status', kind: 'text' },
    { name: 'path', label: 'Path', kind: 'text' },
    { name: 'requestId', label: 'Request id', kind: 'text' },
    { name: 'createdFrom', label: 'From', kind: 'day' },
    { name: 'createdTo', label: 'To', kind: 'day' },
  ],
  searched: ['requestId'],
  columns: [
    { name: 'Request', of: ({ method, path }) => `${method} ${path}`, leads: true },
    { name: 'Status', of: (request) => ({ badge: badgeOf(request) }) },
    { name: 'HTTP status', of: ({ status }) => (status === null ? null : String(status)) },
    { name: 'Code', of: ({ code }) => code },
    { name: 'Date', of: ({ createdAt }) => ({ exactTime: createdAt }) },
    { name: 'Took', of: ({ durationMs }) => `${durationMs} ms`, number: true },
  ],
  heading: ({ method, path }) => `${method} ${path}`,
  page: (request) => ({
    badge: badgeOf(request),
    blocks: [
      {
        facts: [
          ['HTTP status', request.status === null ? word('No answer') : String(request.status)],
          ['Code', request.code],
          ['Resource', madeBy(request)],
          ['Date', { exactTime: request.createdAt }],
          ['Took', `${request.durationMs} ms`],
          ['Request id', request.requestId],
          ['Trace', request.traceId],
          ['Token', request.tokenId],
          ['Address', request.address],
        ],
      },
      {
        title: word('What was sent'),
        none: 'Cofre keeps no field of this request.',
        ...(request.body !== null && {
          code: { label: 'The fields that Cofre keeps', text: pretty(request.body) },
        }),
      },
      {
        title: word('What was answered'),
        code: { label: 'The resource and its state, or the errors', text: pretty(request.answer) },
      },
    ],
  }),
  actions: [],
})
