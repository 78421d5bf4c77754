import { COUNTED_MAX, type ListPage } from '@cofre/platform/list-page'
import {
  createdBetween,
  readFollowing,
  readList,
  type FollowingRequest,
  type List,
  type ListRequest,
} from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Charge } from '../charge/charge'
import { SELECT_CHARGE, storedCharge, type SelectedCharge } from './charge-store'

/** What is undefined limits nothing. */
export type ChargeFilter = {
  sellerId: number
  orderReference?: string | undefined
  externalReference?: number | undefined
  amount?: number | undefined
  /** Of a card of one of its payments. */
  brand?: string | undefined
  /** Of one of its payments. */
  lastFour?: string | undefined
  nsu?: string | undefined
  tid?: string | undefined
  authorizationCode?: string | undefined
  /** Of the Pix that paid. */
  endToEndId?: string | undefined
  /** Empty: any status. */
  statuses: string[]
  /** Epoch milliseconds, inclusive. */
  createdFrom?: number | undefined
  createdTo?: number | undefined
}

/**
 * Charges by a fact of their payments, as its index says it. They are found first: read in the order of the list, the
 * payments of each charge of the seller would be compared.
 */
function withPayment(fact: string, order = ''): string {
  return `t.id = ANY (ARRAY(SELECT p.charge_id FROM payments p WHERE ${fact} AND p.seller_id = $1
    ${order} LIMIT ${COUNTED_MAX + 1}))`
}

/** What many payments may have: one card, or a test account's code. */
const NEWEST = 'ORDER BY p.charge_id DESC'

const WITH = {
  lastFour: withPayment('p.last_four = $', NEWEST),
  nsu: withPayment("p.nsu = $ AND p.nsu <> ''"),
  tid: withPayment("p.tid = $ AND p.tid <> ''"),
  authorizationCode: withPayment("p.authorization_code = $ AND p.authorization_code <> ''", NEWEST),
  endToEndId: withPayment(
    "p.acquirer_payment_id = $ AND p.pix_account IS NOT NULL AND p.acquirer_payment_id <> ''",
  ),
} as const

/** A seller has few brands and many charges of each: the charges are read in the order of the list. */
const OF_BRAND = 'EXISTS (SELECT FROM payments p WHERE p.charge_id = t.id AND p.brand = $)'

function listOf(filter: ChargeFilter): List {
  const { sellerId, statuses, orderReference, externalReference, amount, brand } = filter
  const conditions = [
    ['t.order_reference = $', orderReference],
    ['t.external_reference = $', externalReference],
    ['t.amount = $', amount],
    [OF_BRAND, brand],
    ...Object.entries(WITH).map(([name, has]) => [has, filter[name as keyof typeof WITH]] as const),
    ...createdBetween(filter.createdFrom, filter.createdTo),
  ] as const
  return { table: 'charges', select: SELECT_CHARGE, sellerId, conditions, statuses }
}

/** A page of a seller's charges, newest first. Throws PAGE_TOO_DEEP. */
export async function listCharges(
  pool: Pool,
  filter: ChargeFilter,
  request: ListRequest,
): Promise<ListPage<Charge>> {
  const { entries, ...end } = await readList<SelectedCharge>(pool, listOf(filter), request)
  return { ...end, entries: entries.map((row) => storedCharge(row).charge) }
}

/** The next charges of that list, without a count. */
export async function exportCharges(
  pool: Pool,
  filter: ChargeFilter,
  request: FollowingRequest,
): Promise<Pick<ListPage<Charge>, 'entries' | 'more' | 'place'>> {
  const { entries, ...end } = await readFollowing<SelectedCharge>(pool, listOf(filter), request)
  return { ...end, entries: entries.map((row) => storedCharge(row).charge) }
}
