import { notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetCustomerRequest } from '@cofre/proto/invoices/v1/customers'
import { CUSTOMERS } from '../../customers/customer-store'
import type { Deps } from '../../deps'

/** The customer's data are gone at once; invoices that exist keep what was printed on them. */
export async function deleteCustomer(
  { pool, log }: Deps,
  { sellerId, customerId: id }: GetCustomerRequest,
): Promise<Empty> {
  if (!(await CUSTOMERS.remove(pool, { sellerId, id }))) throw notFound()
  log.info({ sellerId, customerId: id }, 'customer deleted')
  return {}
}
