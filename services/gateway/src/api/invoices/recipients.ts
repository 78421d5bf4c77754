import { pageSchema } from '@cofre/api/page'
import { presentRecipient, recipientSchema } from '@cofre/api/methods/recipient'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Recipient } from '@cofre/proto/invoices/v1/recipients'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { line } from '../fields/body-fields'
import { documentNumber } from '../fields/document-number'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, queryText } from '../fields/query-fields'

const PATH = '/api/v2/recipients'
const ONE = `${PATH}/{id}`
const tag = 'Invoices'
const byId = z.object({ id: pathId })

const requestSchema = z
  .object({
    name: line().meta({ description: 'Up to 255 characters.' }),
    document: documentNumber(),
    reference: line().optional().meta({ description: 'Your own name of the recipient.' }),
  })
  .meta({
    id: 'RecipientRequest',
    examples: [{ name: 'Ateliê da Ana', document: '123.456.789-09', reference: 'parceiro-12' }],
  })
const body = { kind: 'json', schema: requestSchema, required: true } as const
const fieldsOf = ({ reference = '', ...given }: z.output<typeof requestSchema>) => ({ ...given, reference })

const createRecipient = route({
  method: 'POST',
  path: PATH,
  scope: 'invoices:write',
  operationId: 'createRecipient',
  tag,
  summary: 'Register a recipient',
  description:
    'One among whom you split the money of invoices. Cofre keeps what each is owed; it transfers no money.',
  body,
  responses: { 201: { description: 'Registered.', schema: recipientSchema, headers: ['Location'] } },
  message: Recipient,
  handle: ({ sellerId, body: given }, { services: { recipients } }) =>
    callRepeatable(recipients, recipients.createRecipient, { sellerId, fields: fieldsOf(given) }),
  present: (recipient, { baseUrl }) => ({
    status: 201,
    headers: { Location: `${baseUrl}${PATH}/${recipient.id}` },
    body: presentRecipient(recipient),
  }),
})

const listRecipients = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'listRecipients',
  tag,
  summary: 'List recipients, newest first',
  query: z.object({
    ...pageQuery,
    ...afterQuery,
    reference: queryText().optional().meta({ description: 'Your own name of the recipient, whole.' }),
  }),
  responses: {
    200: { description: 'A page.', schema: pageSchema(recipientSchema, 'RecipientPage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query: { page, size, after, place, reference } }, { services: { recipients } }) =>
    callRpc(recipients, recipients.listRecipients, { sellerId, page, size, after, place, reference }),
  present: ({ recipients, ...end }, view) =>
    answerPage(PATH, { items: recipients.map(presentRecipient), ...end }, view),
})

const getRecipient = route({
  method: 'GET',
  path: ONE,
  scope: 'invoices:read',
  operationId: 'getRecipient',
  tag,
  summary: 'Read a recipient',
  params: byId,
  responses: { 200: { description: 'The current recipient.', schema: recipientSchema } },
  handle: ({ sellerId, params: { id: recipientId } }, { services: { recipients } }) =>
    callRpc(recipients, recipients.getRecipient, { sellerId, recipientId }),
  present: (recipient) => ({ status: 200, body: presentRecipient(recipient) }),
})

const replaceRecipient = route({
  method: 'PUT',
  path: ONE,
  scope: 'invoices:write',
  operationId: 'replaceRecipient',
  tag,
  summary: 'Replace a recipient',
  description:
    'Replaces every field: one that you leave out is cleared. You can send what a read answered: `id`, `createdAt` and `updatedAt` are ignored.',
  params: byId,
  body: { ...body, readOnly: ['id', 'createdAt', 'updatedAt'] },
  responses: { 200: { description: 'Replaced.', schema: recipientSchema } },
  message: Recipient,
  handle: ({ sellerId, params: { id: recipientId }, body: given }, { services: { recipients } }) => {
    const request = { sellerId, recipientId, fields: fieldsOf(given) }
    return callRepeatable(recipients, recipients.replaceRecipient, request)
  },
  present: (recipient) => ({ status: 200, body: presentRecipient(recipient) }),
})

export const recipientRoutes = [createRecipient, listRecipients, getRecipient, replaceRecipient]
