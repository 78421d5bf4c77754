import { movementKind, movementSchema, presentMovement } from '@cofre/api/methods/movement'
import { movementMethod } from '@cofre/api/methods/payment-methods'
import { pageSchema } from '@cofre/api/page'
import { callRpc } from '@cofre/platform/grpc/client'
import type { ListMovementsResponse } from '@cofre/proto/invoices/v1/money'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { CSV_DIALECT, csvHeaders, csvOf, readPages } from '../csv/csv'
import { pathId } from '../fields/path-fields'
import {
  afterQuery,
  pageQuery,
  MOMENTS,
  queryBound,
  queryId,
  queryInteger,
  queryOurNumber,
  queryText,
} from '../fields/query-fields'
import { INVOICES } from '../invoices/invoice-urls'
import { MOVEMENT_COLUMNS } from './movement-csv'

const PATH = '/api/v2/movements'
const tag = 'Invoices'

const filters = {
  from: queryBound('from')
    .optional()
    .meta({ description: `Money that moved then or later. ${MOMENTS}` }),
  to: queryBound('to')
    .optional()
    .meta({ description: `Money that moved then or before. ${MOMENTS}` }),
  recordedFrom: queryBound('from')
    .optional()
    .meta({
      description: `Recorded then or later: what changed in a month that you have closed already. ${MOMENTS}`,
    }),
  recordedTo: queryBound('to')
    .optional()
    .meta({ description: `Recorded then or before. ${MOMENTS}` }),
  invoiceId: queryInteger(1, Number.MAX_SAFE_INTEGER).optional(),
  receiptId: queryId()
    .optional()
    .meta({ description: 'Of the money that came by this receipt: what became of each part of it.' }),
  ourNumber: queryOurNumber().optional(),
  bankReceiptId: queryText()
    .optional()
    .meta({ description: 'Of the receipt with this id of the bank; of a Pix, its endToEndId.' }),
  kind: movementKind.schema.optional(),
  method: movementMethod.schema.optional(),
  endToEndId: z
    .string()
    .regex(/^[a-zA-Z0-9]{32}$/, 'must be 32 letters and digits')
    .optional()
    .meta({ description: 'Of the Pix with this id of the bank: its payment, and what went back of it.' }),
  txid: z
    .string()
    .regex(/^[a-zA-Z0-9]{26,35}$/, 'must be 26 to 35 letters and digits')
    .optional()
    .meta({ description: 'Of the Pix that paid the charge with this txid.' }),
}

const NO_FILTER = {
  from: undefined,
  to: undefined,
  recordedFrom: undefined,
  recordedTo: undefined,
  invoiceId: undefined,
  receiptId: undefined,
  ourNumber: undefined,
  bankReceiptId: undefined,
  endToEndId: undefined,
  txid: undefined,
}

type Filters = { [Name in keyof typeof filters]?: z.output<(typeof filters)[Name]> }

function filterOf({ kind, method, ...asked }: Filters) {
  return {
    ...NO_FILTER,
    ...asked,
    kind: kind && movementKind.valueOf(kind),
    method: method && movementMethod.valueOf(method),
    invoiceMustExist: false,
  }
}

const page = { description: 'A page.', schema: pageSchema(movementSchema, 'MovementPage'), headers: ['Link'] }
const problems = ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'] as const

const listMovements = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'listMovements',
  tag,
  summary: 'List movements: what happened to the money of your invoices',
  description:
    'The latest recorded first. Each movement is added once and never changes. paidInCents, refundedInCents, disputedInCents and writtenOffInCents of an invoice are the sums of its movements, without what the payer bore for the card (feeInCents). Money of card orders without an invoice is no movement: it is in the list of charges. Money that still waits is on the list of unexpected receipts.',
  query: z.object({ ...pageQuery, ...afterQuery, ...filters }),
  responses: { 200: { ...page, headers: ['Link'] } },
  problems: [...problems],
  handle: ({ sellerId, query: { page: number, size, after, place, ...query } }, { services: { money } }) =>
    callRpc(money, money.listMovements, {
      ...filterOf(query),
      sellerId,
      page: number,
      size,
      after,
      place,
    }),
  present: ({ movements, ...end }, view) =>
    answerPage(PATH, { items: movements.map(presentMovement), ...end }, view),
})

const listInvoiceMovements = route({
  method: 'GET',
  path: `${INVOICES}/{id}/movements`,
  scope: 'invoices:read',
  operationId: 'listInvoiceMovements',
  tag,
  summary: 'List the movements of an invoice',
  params: z.object({ id: pathId }),
  query: z.object({ ...pageQuery, ...afterQuery }),
  responses: { 200: { ...page, headers: ['Link'] } },
  problems: [...problems],
  handle: async (
    { sellerId, params, query: { page: number, size, after, place } },
    { services: { money } },
  ) => {
    const invoiceId = params.id
    const asked = {
      ...filterOf({ invoiceId }),
      invoiceMustExist: true,
      sellerId,
      page: number,
      size,
      after,
      place,
    }
    return { ...(await callRpc(money, money.listMovements, asked)), invoiceId }
  },
  present: ({ movements, invoiceId, ...end }, view) => {
    const path = `${INVOICES}/${invoiceId}/movements`
    return answerPage(path, { items: movements.map(presentMovement), ...end }, view)
  },
})

const exportMovements = route({
  method: 'GET',
  path: `${PATH}/csv`,
  scope: 'invoices:read',
  operationId: 'exportMovements',
  tag,
  summary: 'Export movements as CSV',
  description: `One row a movement; money that went back has a minus. gross is the money that moved, net is gross without fee, which the payer bore for the card; the acquirer’s fee is in neither. A WRITE_OFF moved no money: its gross and net are 0, and principal, fine and interest are what you ask for no more. Leave it out of sums of money. A receipt that you settle later is recorded later, with the date on which the bank took it: recordedFrom finds what came to a month that you have closed. The filters are those of the list. ${CSV_DIALECT}`,
  query: z.object(filters),
  translated: true,
  responses: {
    200: {
      description: 'UTF-8, RFC 4180, the latest recorded first.',
      contentType: 'text/csv',
      headers: ['Content-Disposition', 'Content-Language'],
    },
  },
  handle: ({ sellerId, query }, { services: { money } }) => {
    const request = { ...filterOf(query), sellerId, page: 0 }
    return readPages<ListMovementsResponse>((size, before) =>
      callRpc(money, money.exportMovements, {
        ...request,
        size,
        after: before?.movements.at(-1)?.id,
        place: before?.place,
      }),
    )
  },
  present: (pages, { language }) => ({
    status: 200,
    headers: csvHeaders('movements', language),
    text: csvOf(pages, MOVEMENT_COLUMNS, ({ movements }) => movements, language),
  }),
})

export const movementRoutes = [exportMovements, listMovements, listInvoiceMovements]
