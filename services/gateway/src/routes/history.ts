import { pageSchema } from '@cofre/api/page'
import { notFound } from '@cofre/platform/errors'
import { HISTORY_COUNTED_MAX, type History, type HistoryQuery } from '@cofre/platform/history/history'
import { z } from 'zod'
import { answerPage } from '../http/page-answer'
import { presentRequest, presentRequestDetail } from '../history/request-entry'
import { route } from '../http/route'
import { mayUse, SCOPES, type Scope } from '../api-tokens/token'
import { requestRecordDetailSchema, requestRecordSchema } from '../history/request-record'
import { pageQuery, queryInstant, queryIntegers, queryNames, queryText } from './fields/query-fields'

const PATH = '/api/v2/history/requests'
const tag = 'Requests'

const path = () =>
  z
    .string()
    .max(255)
    .regex(/^\/[\w.{}/-]+$/, 'must be a path as the document writes it')
    .meta({ description: 'The path template, as in this document.', examples: ['/api/v2/charges/{id}'] })

const listRequests = route({
  method: 'GET',
  path: PATH,
  scope: 'any',
  operationId: 'listRequests',
  tag,
  summary: 'List your API requests, newest first',
  description:
    'Those of the last 30 days to resources that the token may read, a moment after their answers. Card data, people ' +
    `and free text are not kept. totalElements counts up to ${HISTORY_COUNTED_MAX}: narrow by from and to.`,
  query: z.object({
    ...pageQuery,
    status: queryIntegers(100, 599).optional(),
    method: queryNames(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])).optional(),
    route: path().optional(),
    requestId: queryText().optional(),
    from: queryInstant().optional(),
    to: queryInstant().optional(),
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(requestRecordSchema, 'RequestPage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE'],
  handle: ({ sellerId, scopes, query }, { history }) => {
    const { page, size, status, method, route: template, requestId: subject, from, to } = query
    const facts = {
      ...resourcesFor(scopes),
      ...(status ? { status } : {}),
      ...(method ? { method } : {}),
      ...(template === undefined ? {} : { route: [template] }),
    }
    return findPage(history, { sellerId, subject, facts, from, to, offset: page * size, limit: size })
  },
  present: ({ entries, total }, view) =>
    answerPage(PATH, { items: entries.map(presentRequest), total }, view),
})

const getRequestRecord = route({
  method: 'GET',
  path: `${PATH}/{id}`,
  scope: 'any',
  operationId: 'getRequestRecord',
  tag,
  summary: 'Read one of your API requests',
  params: z.object({ id: z.string().regex(/^[\da-f]{32}$/) }),
  responses: { 200: { description: 'The request.', schema: requestRecordDetailSchema } },
  handle: async ({ sellerId, scopes, params }, { history }) => {
    const entry = await history.get(sellerId, params.id)
    const { resource } = resourcesFor(scopes)
    const isSeen = resource === undefined || resource.includes(String(entry?.facts['resource']))
    if (!entry || !isSeen) throw notFound('There is no such request.')
    return entry
  },
  present: (entry) => ({ status: 200, body: presentRequestDetail(entry) }),
})

/** The resources whose requests a token may see: those that it may read, and what needs no scope. */
function resourcesFor(scopes: readonly Scope[]): { resource?: string[] } {
  const readable = SCOPES.filter((scope) => scope.endsWith(':read'))
  const allowed = readable.filter((scope) => mayUse({ scopes }, scope))
  if (allowed.length === readable.length) return {}
  return { resource: ['any', ...allowed.map((scope) => scope.split(':')[0] ?? '')] }
}

/** What is not counted is not turned to either: it would read a month of entries to show ten. */
async function findPage(history: History, query: HistoryQuery) {
  if (query.offset < HISTORY_COUNTED_MAX) return history.find(query)
  const { total } = await history.find({ ...query, offset: 0, limit: 1 })
  return { entries: [], total }
}

export const historyRoutes = [listRequests, getRequestRecord]
