import type { ListCustomersRequest, ListCustomersResponse } from '@cofre/proto/invoices/v1/customers'
import { toMessage } from '../../customers/customer-message'
import { listCustomers as findCustomers } from '../../customers/customer-store'
import type { Deps } from '../../deps'
import { checkPage } from '../request-check'

export async function listCustomers(
  { pool }: Deps,
  { sellerId, page, size, after, document, email, name }: ListCustomersRequest,
): Promise<ListCustomersResponse> {
  checkPage({ page, size })
  const filter = { sellerId, document, email, name }
  const { entries, ...end } = await findCustomers(pool, filter, { page, size, after })
  return { customers: entries.map(toMessage), ...end }
}
