import { SCOPES, type Scope } from '@cofre/api/scopes'
import { pageSchema } from '@cofre/api/page'
import { notFound } from '@cofre/platform/errors'
import { z } from 'zod'
import { answerPage } from '../http/page-answer'
import { presentRequest, presentRequestDetail } from '../history/request-entry'
import { route } from '../http/route'
import { mayUse } from '../sellers/api-tokens/token'
import { requestRecordDetailSchema, requestRecordSchema } from '../history/request-record'
import {
  AFTER,
  pageQuery,
  placeQuery,
  queryBound,
  queryIntegers,
  queryNames,
  queryText,
} from './fields/query-fields'

const PATH = '/api/v2/history/requests'
const ID = /^[\da-f]{32}$/
const tag = 'Requests'

const path = () =>
  z
    .string()
    .max(255)
    .regex(/^\/[\w.{}/-]+$/, 'must be a path of a request, or a path template from the OpenAPI document')

/** The former name of a filter. The new name counts where a request has both. */
const formerly = (name: string) => ({ deprecated: true, description: `The former name of \`${name}\`.` })

const listRequests = route({
  method: 'GET',
  path: PATH,
  scope: 'any',
  operationId: 'listRequests',
  tag,
  summary: 'List your API requests, newest first',
  description:
    'Requests of the last 30 days to resources that the token may read. A request appears shortly after its answer. ' +
    'Cofre keeps no card data, personal data or free text. A filter by status, method or path searches the newest 20,000 requests of the given period.',
  query: z.object({
    ...pageQuery,
    after: z.string().regex(ID).optional().meta({ description: AFTER }),
    ...placeQuery,
    status: queryIntegers(100, 599).optional(),
    method: queryNames(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])).optional(),
    path: path()
      .optional()
      .meta({
        description:
          'The path of the requests, such as /api/v2/charges/981, or a path template of this document for the requests to all its paths.',
        examples: ['/api/v2/charges/{id}'],
      }),
    requestId: queryText().optional(),
    createdFrom: queryBound('from').optional(),
    createdTo: queryBound('to').optional(),
    route: path().optional().meta(formerly('path')),
    from: queryBound('from').optional().meta(formerly('createdFrom')),
    to: queryBound('to').optional().meta(formerly('createdTo')),
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(requestRecordSchema, 'RequestPage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, scopes, query }, { history }) => {
    const {
      page,
      size,
      after,
      place,
      status,
      method,
      requestId: subject,
      path: asked,
      route: template,
    } = query
    const { createdFrom: from = query.from, createdTo: to = query.to } = query
    const facts = {
      ...resourcesFor(scopes),
      ...(status ? { status } : {}),
      ...(method ? { method } : {}),
      ...pathFacts(asked, template),
    }
    return history.find({ sellerId, subject, facts, from, to, page, size, after, place })
  },
  present: ({ entries, ...end }, view) =>
    answerPage(PATH, { items: entries.map(presentRequest), ...end }, view),
})

const getRequestRecord = route({
  method: 'GET',
  path: `${PATH}/{id}`,
  scope: 'any',
  operationId: 'getRequestRecord',
  tag,
  summary: 'Read one of your API requests',
  params: z.object({ id: z.string().regex(ID) }),
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

/** A path with a parameter in braces is a template, and so is the former filter. */
function pathFacts(asked: string | undefined, template: string | undefined): Record<string, string[]> {
  if (asked !== undefined) return asked.includes('{') ? { route: [asked] } : { path: [asked] }
  return template === undefined ? {} : { route: [template] }
}

/** Returns the resources whose requests a token may see: those that it may read, and those that need no scope. */
function resourcesFor(scopes: readonly Scope[]): { resource?: string[] } {
  const readable = SCOPES.filter((scope) => scope.endsWith(':read'))
  const allowed = readable.filter((scope) => mayUse({ scopes }, scope))
  if (allowed.length === readable.length) return {}
  return { resource: ['any', ...allowed.map((scope) => scope.split(':')[0] ?? '')] }
}

export const historyRoutes = [listRequests, getRequestRecord]
