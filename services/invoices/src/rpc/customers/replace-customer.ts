import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Customer as Message, type ReplaceCustomerRequest } from '@cofre/proto/invoices/v1/customers'
import { now } from '../../clock/billing-clock'
import { toMessage } from '../../customers/customer-message'
import { CUSTOMERS } from '../../customers/customer-store'
import type { Deps } from '../../deps'
import { readFields } from './customer-fields'

export async function replaceCustomer(
  { pool }: Deps,
  { sellerId, customerId: id, fields }: ReplaceCustomerRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  return withIdempotency(pool, sellerId, Message, async (tx) =>
    toMessage(await CUSTOMERS.replace(tx, { ...given, id, sellerId, updatedAt: now() })),
  )
}
