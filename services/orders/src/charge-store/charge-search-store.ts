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
  const { matching, values } = searchOf(filter, { limit: COUNTED_MAX + 1, offset: 0, direction: 'ASC' })
  const { rows } = await pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM (${matching}) AS found`,
    values,
  )
  return rows[0]?.total ?? 0
}

/** An index alone gives the ids of a page; only the charges of that page are read whole. */
async function findPage(pool: Pool, filter: ChargeFilter, request: ChargePageRequest): Promise<Charge[]> {
  const { after } = request
  const last = after === undefined ? undefined : await placeOf(pool, filter.sellerId, after)
  const { matching, values } = searchOf(filter, { ...rowsToRead(request), direction: 'DESC', last })
  const { rows } = await pool.query<SelectedCharge>(
    `${SELECT_CHARGE} WHERE c.id = ANY (ARRAY(SELECT id FROM (${matching}) AS found))
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

type Reach = { limit: number; offset: number; direction: 'ASC' | 'DESC'; last?: Place | undefined }

/** Matching charges in order. Each status has a SELECT of its own, which reads its part of an index in that order. */
function searchOf(filter: ChargeFilter, { limit, offset, direction, last }: Reach) {
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
    const [at, id] = [`$${values.push(last.createdAt)}`, `$${values.push(last.id)}`]
    // The first of the two says where the index is entered, also beside another bound of the time.
    conditions.push(`c.created_at <= ${at}`, `(c.created_at, c.id) < (${at}, ${id})`)
  }
  const selectOf = (rows: string, ...more: string[]) =>
    `SELECT c.created_at, c.id FROM charges c WHERE ${[...conditions, ...more].join(' AND ')}
     ORDER BY c.created_at ${direction}, c.id ${direction} ${rows}`
  const rows = `LIMIT ${limit} OFFSET ${offset}`
  const ofStatuses = [...new Set(filter.statuses)].map((status) => `c.status = $${values.push(status)}`)
  if (ofStatuses.length <= 1) return { matching: selectOf(rows, ...ofStatuses), values }
  const selects = ofStatuses.map((status) => `(${selectOf(`LIMIT ${offset + limit}`, status)})`)
  const matching = `SELECT created_at, id FROM (${selects.join(' UNION ALL ')}) AS each
    ORDER BY created_at ${direction}, id ${direction} ${rows}`
  return { matching, values }
}
