import { assigned, changing, changingTime, fixed, fixedTime } from '@cofre/platform/postgres/columns'
import type { ListPage } from '@cofre/platform/list-page'
import type { ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { recordStore } from '../records/record-store'
import { searchKey } from '../records/search-key'
import type { Customer } from './customer'

/** The one place that names the columns of a customer. */
export const CUSTOMERS = recordStore<Customer>('customers', {
  id: assigned,
  sellerId: fixed,
  name: changing,
  nameKey: changing,
  document: changing,
  birthdate: changing,
  phone: { prefix: 'phone_', fields: { countryCode: changing, areaCode: changing, number: changing } },
  email: changing,
  emailKey: changing,
  address: {
    fields: {
      street: changing,
      streetNumber: changing,
      lineTwo: changing,
      neighborhood: changing,
      state: changing,
      zipCode: changing,
      city: changing,
    },
  },
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export type CustomerFilter = {
  sellerId: number
  document: string | undefined
  /** Email and name match as a whole, in upper or lower case. */
  email: string | undefined
  name: string | undefined
}

/** A page of a seller's customers, newest first. Throws PAGE_TOO_DEEP. */
export function listCustomers(
  pool: Pool,
  { sellerId, document, email, name }: CustomerFilter,
  request: ListRequest,
): Promise<ListPage<Customer>> {
  const conditions = [
    ['t.document = $', document],
    ['t.email_key = $', email && searchKey(email)],
    ['t.name_key = $', name && searchKey(name)],
  ] as const
  return CUSTOMERS.list(pool, sellerId, conditions, request)
}
