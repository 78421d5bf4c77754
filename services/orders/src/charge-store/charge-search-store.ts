import { COUNTED_MAX, listPage, rowsToRead, unknownAfter, type ListPage } from '@cofre/platform/list-page'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Charge } from '../charge/charge'
import { SELECT_CHARGE, storedCharge, type SelectedCharge } from './charge-store'

export type ChargeFilter = {
  sellerId: number
  orderReference: string | undefined
  externalReference: number | undefined
  /** Empty: any. */
  statuses: string[]
  /** Epoch milliseconds, inclusive. */
  createdFrom: number | undefined
  createdTo: number | undefined
}

export type ChargePageRequest = { page: number; size: number; after: number | undefined }

/** A page of a seller's charges, newest first. Throws PAGE_TOO_DEEP. */
export async function listCharges(
  pool: Pool,
  filter: ChargeFilter,
  request: ChargePageRequest,
): Promise<ListPage<Charge>> {
  const [counted, charges] = await Promise.all([countCharges(pool, filter), findPage(pool, filter, request)])
  return listPage(charges, counted, request)
}

/** Counts the oldest ones: their rows are settled, so that the index alone tells which of them exist. */
async function countCharges(pool: Pool, filter: ChargeFilter): Promise<number> {
  const { matching, values } = searchOf(filter, { limit: COUNTED_MAX + 1, direction: 'ASC' })
  const { rows } = await pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT FROM (${matching}) AS found LIMIT ${COUNTED_MAX + 1}) AS counted`,
    values,
  )
  return rows[0]?.total ?? 0
}

/** An index alone gives the ids of a page; only the charges of that page are read whole. */
async function findPage(pool: Pool, filter: ChargeFilter, request: ChargePageRequest): Promise<Charge[]> {
  const { after } = request
  const last = after === undefined ? undefined : await placeOf(pool, filter.sellerId, after)
  const { limit, offset } = rowsToRead(request)
  const { matching, values } = searchOf(filter, { limit: offset + limit, direction: 'DESC', last })
  const { rows } = await pool.query<SelectedCharge>(
    `${SELECT_CHARGE} WHERE c.id = ANY (ARRAY(
       SELECT id FROM (${matching}) AS found
       ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}))
     ORDER BY c.created_at DESC, c.id DESC`,
    values,
  )
  return rows.map((row) => storedCharge(row).charge)
}

/** Where a charge stands in the list. Its time is text, because a Date has no microseconds. */
type Place = { createdAt: string; id: number }

async function placeOf(pool: Pool, sellerId: number, id: number): Promise<Place> {
  const { rows } = await pool.query<Place>(
    'SELECT created_at::text AS "createdAt", id FROM charges WHERE id = $1 AND seller_id = $2',
    [id, sellerId],
  )
  if (!rows[0]) throw unknownAfter()
  return rows[0]
}

type Reach = { limit: number; direction: 'ASC' | 'DESC'; last?: Place | undefined }

/** The matching charges, with one SELECT for each status: each reads its part of an index in order, up to a limit. */
function searchOf(filter: ChargeFilter, { limit, direction, last }: Reach) {
  const values: unknown[] = []
  const conditions: string[] = []
  const narrow = (condition: string, value: unknown) => {
    if (value !== undefined) conditions.push(condition.replace('$', `$${values.push(value)}`))
  }
  narrow('c.seller_id = $', filter.sellerId)
  narrow('c.order_reference = $', filter.orderReference)
  narrow('c.external_reference = $', filter.externalReference)
  narrow('c.created_at >= to_timestamp($ / 1000.0)', filter.createdFrom)
  narrow('c.created_at <= to_timestamp($ / 1000.0)', filter.createdTo)
  if (last) {
    const place = `$${values.push(last.createdAt)}, $${values.push(last.id)}`
    conditions.push(`(c.created_at, c.id) < (${place})`)
  }
  const matchingOf = (...more: string[]) => `(SELECT c.created_at, c.id FROM charges c
    WHERE ${[...conditions, ...more].join(' AND ')}
    ORDER BY c.created_at ${direction}, c.id ${direction} LIMIT ${limit})`
  const statuses = [...new Set(filter.statuses)]
  const ofStatuses = statuses.map((status) => matchingOf(`c.status = $${values.push(status)}`))
  return { matching: ofStatuses.length > 0 ? ofStatuses.join(' UNION ALL ') : matchingOf(), values }
}
