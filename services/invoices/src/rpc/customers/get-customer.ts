import type { Customer, GetCustomerRequest } from '@cofre/proto/invoices/v1/customers'
import { toMessage } from '../../customers/customer-message'
import { CUSTOMERS } from '../../customers/customer-store'
import type { Deps } from '../../deps'

export async function getCustomer(
  { pool }: Deps,
  { sellerId, customerId: id }: GetCustomerRequest,
): Promise<Customer> {
  return toMessage(await CUSTOMERS.read(pool, { sellerId, id }))
}
