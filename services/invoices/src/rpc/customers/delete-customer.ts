import { notFound } from '@cofre/platform/errors'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetCustomerRequest } from '@cofre/proto/invoices/v1/customers'
import { now } from '../../clock/billing-clock'
import { CUSTOMERS } from '../../customers/customer-store'
import type { Deps } from '../../deps'
import { discardKeptCard } from '../../payment-store/kept-card-store'
import { cancelOfCustomer } from '../../recurring-store/recurring-store'

/**
 * The customer's data are gone at once, and soon after a card that a payment had stored for it. Invoices that exist keep
 * what was printed on them; recurring ones are cancelled.
 */
export async function deleteCustomer(
  { pool, log }: Deps,
  { sellerId, customerId: id }: GetCustomerRequest,
): Promise<Empty> {
  await withTransaction(pool, async (tx) => {
    await discardKeptCard(tx, sellerId, id)
    if (!(await CUSTOMERS.remove(tx, { sellerId, id }))) throw notFound()
    // After the row is gone: a recurring invoice that was being made for the customer is there by now.
    await cancelOfCustomer(tx, { sellerId, customerId: id, at: now() })
  })
  log.info({ sellerId, customerId: id }, 'customer deleted')
  return {}
}
