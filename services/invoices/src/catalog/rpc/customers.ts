import { notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import {
  type CreateCustomerRequest,
  Customer as Message,
  type GetCustomerRequest,
  type ListCustomersRequest,
  type ListCustomersResponse,
  type ReplaceCustomerRequest,
  type CustomerFields as FieldsMessage,
} from '@cofre/proto/invoices/v1/customers'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { checkPage, requireAll } from '../../request-check'
import type { CustomerFields } from '../customers/customer'
import { fieldsOf, toMessage } from '../customers/customer-message'
import { CUSTOMERS, listCustomers as findCustomers } from '../customers/customer-store'

export async function createCustomer(
  { pool }: Deps,
  { sellerId, fields }: CreateCustomerRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    const at = now()
    return toMessage(await CUSTOMERS.insert(tx, { ...given, sellerId, createdAt: at, updatedAt: at }))
  })
}

export async function getCustomer(
  { pool }: Deps,
  { sellerId, customerId: id }: GetCustomerRequest,
): Promise<Message> {
  return toMessage(await CUSTOMERS.read(pool, { sellerId, id }))
}

export async function listCustomers(
  { pool }: Deps,
  { sellerId, page, size, after, place, document, email, name }: ListCustomersRequest,
): Promise<ListCustomersResponse> {
  checkPage({ page, size })
  const filter = { sellerId, document, email, name }
  const { entries, ...end } = await findCustomers(pool, filter, { page, size, after, place })
  return { customers: entries.map(toMessage), ...end }
}

export async function replaceCustomer(
  { pool }: Deps,
  { sellerId, customerId: id, fields }: ReplaceCustomerRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  return withIdempotency(pool, sellerId, Message, async (tx) =>
    toMessage(await CUSTOMERS.replace(tx, { ...given, id, sellerId, updatedAt: now() })),
  )
}

/** Deletes a customer's data at once, with all that other rooms have of the customer. Invoices keep their printed data. */
export async function deleteCustomer(
  { pool, log, customerLeaves: { before, after } }: Deps,
  { sellerId, customerId: id }: GetCustomerRequest,
): Promise<Empty> {
  await withTransaction(pool, async (tx) => {
    const customer = { sellerId, customerId: id }
    for (const step of before) await step(tx, customer)
    if (!(await CUSTOMERS.remove(tx, { sellerId, id }))) throw notFound()
    const left = { ...customer, at: now() }
    for (const step of after) await step(tx, left)
  })
  log.info({ sellerId, customerId: id }, 'customer deleted')
  return {}
}

/** Reads the customer of a request. INVALID_ARGUMENT VALIDATION_FAILED without a name or a document. */
function readFields(fields: FieldsMessage | undefined): CustomerFields {
  requireAll({ '#/name': fields?.name, '#/document': fields?.document })
  return fieldsOf(fields as FieldsMessage)
}
