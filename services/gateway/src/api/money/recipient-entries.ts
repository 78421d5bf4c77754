import { movementKind } from '@cofre/api/methods/movement'
import { pageSchema } from '@cofre/api/page'
import { presentRecipientEntry, recipientEntrySchema } from '@cofre/api/methods/recipient'
import { callRpc } from '@cofre/platform/grpc/client'
import type { ListEntriesResponse, RecipientEntry } from '@cofre/proto/invoices/v1/recipients'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { CSV_DIALECT, csvHeaders, csvOf, day, readPages, reais, type Columns } from '../csv/csv'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, MOMENTS, queryBound } from '../fields/query-fields'

const PATH = '/api/v2/recipients/{id}/entries'
const tag = 'Invoices'
const byId = z.object({ id: pathId })
const period = {
  from: queryBound('from')
    .optional()
    .meta({ description: `Money that moved then or later. ${MOMENTS}` }),
  to: queryBound('to')
    .optional()
    .meta({ description: `Money that moved then or before. ${MOMENTS}` }),
}

const listEntries = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'listRecipientEntries',
  tag,
  summary: 'List what a recipient is owed',
  description:
    'The latest recorded first: one entry for each movement of an invoice that is split with the recipient. Their sum is what the recipient is owed so far.',
  params: byId,
  query: z.object({ ...pageQuery, ...afterQuery, ...period }),
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(recipientEntrySchema, 'RecipientEntryPage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: async ({ sellerId, params: { id: recipientId }, query }, { services: { recipients } }) => {
    const { page, size, after, place, from, to } = query
    const asked = { sellerId, recipientId, page, size, after, place, from, to }
    return { ...(await callRpc(recipients, recipients.listEntries, asked)), recipientId }
  },
  present: ({ entries, recipientId, ...end }, view) =>
    answerPage(
      PATH.replace('{id}', String(recipientId)),
      { items: entries.map(presentRecipientEntry), ...end },
      view,
    ),
})

const COLUMNS: Columns<RecipientEntry> = [
  ['id', ({ id }) => String(id)],
  ['date', ({ at }) => day(at)],
  ['recordedDate', ({ recordedAt }) => day(recordedAt)],
  ['kind', ({ kind }) => movementKind.nameOf(kind)],
  ['recipientId', ({ recipientId }) => String(recipientId)],
  ['invoiceId', ({ invoiceId }) => String(invoiceId)],
  ['movementId', ({ movementId }) => String(movementId)],
  ['amount', ({ amount }, dialect) => reais(amount, dialect)],
]

const exportEntries = route({
  method: 'GET',
  path: `${PATH}/csv`,
  scope: 'invoices:read',
  operationId: 'exportRecipientEntries',
  tag,
  summary: 'Export what a recipient is owed as CSV',
  description: `One row an entry; what the recipient owes back has a minus. ${CSV_DIALECT}`,
  params: byId,
  query: z.object(period),
  translated: true,
  responses: {
    200: {
      description: 'UTF-8, RFC 4180, the latest recorded first.',
      contentType: 'text/csv',
      headers: ['Content-Disposition', 'Content-Language'],
    },
  },
  handle: ({ sellerId, params: { id: recipientId }, query: { from, to } }, { services: { recipients } }) => {
    const request = { sellerId, recipientId, from, to, page: 0 }
    return readPages<ListEntriesResponse>((size, before) =>
      callRpc(recipients, recipients.exportEntries, {
        ...request,
        size,
        after: before?.entries.at(-1)?.id,
        place: before?.place,
      }),
    )
  },
  present: (pages, { language }) => ({
    status: 200,
    headers: csvHeaders('entries', language),
    text: csvOf(pages, COLUMNS, ({ entries }) => entries, language),
  }),
})

export const recipientEntryRoutes = [exportEntries, listEntries]
