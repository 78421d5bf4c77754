import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Customer as Message, type CreateCustomerRequest } from '@cofre/proto/invoices/v1/customers'
import { now } from '../../clock/billing-clock'
import { toMessage } from '../../customers/customer-message'
import { CUSTOMERS } from '../../customers/customer-store'
import type { Deps } from '../../deps'
import { readFields } from './customer-fields'

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
