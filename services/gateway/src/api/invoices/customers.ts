import { customerSchema, presentCustomer } from '@cofre/api/customer'
import { pageSchema } from '@cofre/api/page'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Customer, CustomerFields } from '@cofre/proto/invoices/v1/customers'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { customerRequestSchema } from './customer-request'
import { documentNumber } from '../fields/document-number'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, queryText } from '../fields/query-fields'

const PATH = '/api/v2/customers'
const ONE = `${PATH}/{id}`
const tag = 'Customers'
const byId = z.object({ id: pathId })
const body = { kind: 'json', schema: customerRequestSchema, required: true } as const

const createCustomer = route({
  method: 'POST',
  path: PATH,
  scope: 'customers:write',
  operationId: 'createCustomer',
  tag,
  summary: 'Create a customer',
  body,
  responses: {
    201: { description: 'Created.', schema: customerSchema, headers: ['Content-ID', 'Location'] },
  },
  message: Customer,
  handle: ({ sellerId, body: fields }, { services: { customers } }) =>
    callRepeatable(customers, customers.createCustomer, {
      sellerId,
      fields: CustomerFields.fromPartial(fields),
    }),
  present: (customer, { baseUrl }) => ({
    status: 201,
    headers: { 'Content-ID': String(customer.id), Location: `${baseUrl}${PATH}/${customer.id}` },
    body: presentCustomer(customer),
  }),
})

const customerQuery = z.object({
  ...pageQuery,
  ...afterQuery,
  document: documentNumber().optional(),
  email: queryText().optional(),
  name: queryText().optional(),
})

const absentFilters = { after: undefined, document: undefined, email: undefined, name: undefined }

const listCustomers = route({
  method: 'GET',
  path: PATH,
  scope: 'customers:read',
  operationId: 'listCustomers',
  tag,
  summary: 'List customers, newest first',
  description:
    '`email` must match in full. `name` finds customers by the beginnings of words: `conceicao jo` finds João da Conceição. Case and accents do not matter.',
  query: customerQuery,
  responses: {
    200: { description: 'A page.', schema: pageSchema(customerSchema, 'CustomerPage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { customers } }) =>
    callRpc(customers, customers.listCustomers, { ...absentFilters, sellerId, ...query }),
  present: ({ customers, ...end }, view) =>
    answerPage(PATH, { items: customers.map(presentCustomer), ...end }, view),
})

const getCustomer = route({
  method: 'GET',
  path: ONE,
  scope: 'customers:read',
  operationId: 'getCustomer',
  tag,
  summary: 'Read a customer',
  params: byId,
  responses: { 200: { description: 'The current customer.', schema: customerSchema } },
  handle: ({ sellerId, params }, { services: { customers } }) =>
    callRpc(customers, customers.getCustomer, { sellerId, customerId: params.id }),
  present: (customer) => ({ status: 200, body: presentCustomer(customer) }),
})

const replaceCustomer = route({
  method: 'PUT',
  path: ONE,
  scope: 'customers:write',
  operationId: 'replaceCustomer',
  tag,
  summary: 'Replace a customer',
  description:
    'Replaces every field: one that you leave out is cleared. You can send what a read answered: `id`, `createdAt` and `updatedAt` are ignored. Existing invoices keep the customer as it was.',
  params: byId,
  body: { ...body, readOnly: ['id', 'createdAt', 'updatedAt'] },
  responses: { 200: { description: 'Replaced.', schema: customerSchema } },
  message: Customer,
  handle: ({ sellerId, params, body: fields }, { services: { customers } }) =>
    callRepeatable(customers, customers.replaceCustomer, {
      sellerId,
      customerId: params.id,
      fields: CustomerFields.fromPartial(fields),
    }),
  present: (customer) => ({ status: 200, body: presentCustomer(customer) }),
})

const deleteCustomer = route({
  method: 'DELETE',
  path: ONE,
  scope: 'customers:write',
  operationId: 'deleteCustomer',
  tag,
  summary: 'Delete a customer',
  description:
    'Cofre erases the personal data. Existing invoices keep the name, document and e-mail printed on them.',
  params: byId,
  responses: { 204: { description: 'The customer no longer exists.' } },
  handle: ({ sellerId, params }, { services: { customers } }) =>
    callRpc(customers, customers.deleteCustomer, { sellerId, customerId: params.id }),
  present: () => ({ status: 204 }),
})

export const customerRoutes = [createCustomer, listCustomers, getCustomer, replaceCustomer, deleteCustomer]
