import { assigned, changing, changingTime, fixed, fixedTime } from '@cofre/platform/postgres/columns'
import type { ListPage } from '@cofre/platform/list-page'
import type { ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { recordStore } from '../record-store'
import { searchKey, wordsKey } from '../search-key'
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
  /** The whole address, in upper or lower case. */
  email: string | undefined
  /** The beginnings of words of the name, in upper or lower case, with or without accents. */
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
    [NAMED, name && wordsOf(sellerId, name)],
  ] as const
  return CUSTOMERS.list(pool, sellerId, conditions, request)
}

/** Found first, by the index of words: read in the order of the list, each customer of the seller would be compared. */
const NAMED = `t.id = ANY (ARRAY(SELECT id FROM customers WHERE customer_words(seller_id, name_key) @@ $::tsquery))`

/** All words of a search, as PostgreSQL asks for their beginnings. A search without a letter or digit finds nothing. */
function wordsOf(sellerId: number, name: string): string {
  const words = wordsKey(name)
    .split(' ')
    .filter((word) => word !== '')
  return words.map((word) => `'${sellerId}:${word}':*`).join(' & ')
}
