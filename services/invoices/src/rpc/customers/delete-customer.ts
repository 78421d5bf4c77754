import { notFound } from '@cofre/platform/errors'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetCustomerRequest } from '@cofre/proto/invoices/v1/customers'
import { now } from '../../clock/billing-clock'
import { CUSTOMERS } from '../../customers/customer-store'
import type { Deps } from '../../deps'
import { redirectEmails } from '../../email/email-store'
import { discardKeptCard } from '../../payment-store/kept-card-store'
import { cancelOfCustomer } from '../../recurring-store/recurring-store'
import { holdCharged, stopChargesOfCustomer } from '../../recurring-store/stop-charges-store'

/**
 * Deletes a customer's data at once, and soon after it a card that a payment had stored. A waiting letter goes to the
 * address on its invoice, or nowhere. Invoices keep their printed data, and no card is charged for them any more.
 * Recurring invoices are cancelled.
 */
export async function deleteCustomer(
  { pool, log }: Deps,
  { sellerId, customerId: id }: GetCustomerRequest,
): Promise<Empty> {
  await withTransaction(pool, async (tx) => {
    const customer = { sellerId, customerId: id }
    // In the order of payments, which lock the invoice, then the customer that keeps the card.
    await holdCharged(tx, customer)
    await discardKeptCard(tx, sellerId, id)
    if (!(await CUSTOMERS.remove(tx, { sellerId, id }))) throw notFound()
    // After the row is gone: a recurring invoice that was being made for the customer exists by now.
    const at = now()
    await cancelOfCustomer(tx, { ...customer, at })
    await stopChargesOfCustomer(tx, { ...customer, at })
    await redirectEmails(tx, customer)
  })
  log.info({ sellerId, customerId: id }, 'customer deleted')
  return {}
}
