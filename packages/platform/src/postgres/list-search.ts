import { COUNTED_MAX, listPage, rowsToRead, unknownAfter, type ListPage } from '../list-page'
import type { Pool } from './postgres'

/**
 * A seller's list, newest first, of a table with `id`, `seller_id` and `created_at`. `select`: what is read of an entry,
 * a SELECT whose table has the alias `t`. `conditions`: each with `$` for its value; one without a value is left out.
 */
export type List = {
  table: string
  select: string
  sellerId: number
  conditions: readonly (readonly [condition: string, value: unknown])[]
  /** Any of these statuses; empty: all. */
  statuses: readonly string[]
  /**
   * The column of a range among the conditions. Few entries are found by an index that begins with seller_id and it; of
   * more than are counted, a page is found in the order of the list.
   */
  rangedBy?: string | undefined
}

/** As listPage's; an id names the entry that the page follows. */
export type ListRequest = { page: number; size: number; after: number | undefined }

/** A page of a list. An index that begins with the filtered column and ends with created_at, id serves it. PAGE_TOO_DEEP. */
export async function readList<Entry extends object>(
  pool: Pool,
  list: List,
  request: ListRequest,
): Promise<ListPage<Entry>> {
  if (list.rangedBy !== undefined) return readRange(pool, list, list.rangedBy, request)
  const [counted, entries] = await Promise.all([count(pool, list), findPage<Entry>(pool, list, request)])
  return listPage(entries, counted, request)
}

/** The count comes first: it says which way to the page is the short one. */
async function readRange<Entry extends object>(
  pool: Pool,
  list: List,
  column: string,
  request: ListRequest,
): Promise<ListPage<Entry>> {
  const { matching, values } = rangeOf(list, column)
  const { rows } = await pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM (${matching}) AS found`,
    values,
  )
  const counted = rows[0]?.total ?? 0
  const entries =
    counted <= COUNTED_MAX
      ? await findPage<Entry>(pool, list, request, column)
      : await findPage<Entry>(pool, inOrderOf(list, column), request)
  return listPage(entries, counted, request)
}

/**
 * The same list, in whose conditions no index finds the range. Planned for any values, a range counts as one of few
 * entries: all of them would be read and sorted for each page.
 */
function inOrderOf(list: List, column: string): List {
  const conditions = list.conditions.map(
    ([condition, value]) =>
      [condition.replace(`t.${column} `, `t.${column} + interval '0' `), value] as const,
  )
  return { ...list, conditions }
}

/** The next entries of a list, without a count: for whoever reads all of them. An unknown `after` is refused. */
export async function readFollowing<Entry extends object>(
  pool: Pool,
  list: List,
  { size, after }: Pick<ListRequest, 'size' | 'after'>,
): Promise<Pick<ListPage<Entry>, 'entries' | 'more'>> {
  const entries = await findPage<Entry>(pool, list, { page: 0, size, after })
  return { entries: entries.slice(0, size), more: entries.length > size }
}

/** Counts the oldest ones: their rows are settled, so that the index alone tells which of them exist. */
async function count(pool: Pool, list: List): Promise<number> {
  const { matching, values } = searchOf(list, { limit: COUNTED_MAX + 1, offset: 0, direction: 'ASC' })
  const { rows } = await pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM (${matching}) AS found`,
    values,
  )
  return rows[0]?.total ?? 0
}

/** An index alone gives the ids of a page; only the entries of that page are read whole. `few`: the column of a range. */
async function findPage<Entry extends object>(
  pool: Pool,
  list: List,
  request: ListRequest,
  few?: string,
): Promise<Entry[]> {
  const last = request.after === undefined ? undefined : await placeOf(pool, list, request.after)
  const reach: Reach = { ...rowsToRead(request), direction: 'DESC', last }
  const { matching, values } = few === undefined ? searchOf(list, reach) : sortedRangeOf(list, few, reach)
  const { rows } = await pool.query<Entry>(
    `${list.select} WHERE t.id = ANY (ARRAY(SELECT id FROM (${matching}) AS found))
     ORDER BY t.created_at DESC, t.id DESC`,
    values,
  )
  return rows
}

/** Where an entry stands in the list. Its time is text, because a Date has no microseconds. */
type Place = { createdAt: string; id: number }

async function placeOf(pool: Pool, { table, sellerId }: List, id: number): Promise<Place> {
  const { rows } = await pool.query<Place>(
    `SELECT created_at::text AS "createdAt", id FROM ${table} WHERE id = $1 AND seller_id = $2`,
    [id, sellerId],
  )
  if (!rows[0]) throw unknownAfter()
  return rows[0]
}

type Reach = { limit: number; offset: number; direction: 'ASC' | 'DESC'; last?: Place | undefined }

/** What entries are wanted, and the values of it. */
function wantedOf({ sellerId, conditions }: List): { wanted: string[]; values: unknown[] } {
  const values: unknown[] = [sellerId]
  const wanted = ['t.seller_id = $1']
  for (const [condition, value] of conditions) {
    if (value !== undefined) wanted.push(condition.replace('$', `$${values.push(value)}`))
  }
  return { wanted, values }
}

/** Matching entries in the order of a column, no more than are counted. */
function rangeOf(list: List, column: string) {
  const { wanted, values } = wantedOf(list)
  if (list.statuses.length > 0) wanted.push(`t.status = ANY($${values.push(list.statuses)})`)
  const matching = `SELECT t.created_at, t.id FROM ${list.table} t WHERE ${wanted.join(' AND ')}
    ORDER BY t.${column} LIMIT ${COUNTED_MAX + 1}`
  return { matching, values }
}

/** A page of few matching entries: all of them are found, and sorted. */
function sortedRangeOf(list: List, column: string, { limit, offset, direction, last }: Reach) {
  const { matching: found, values } = rangeOf(list, column)
  const after = last
    ? `WHERE (created_at, id) < ($${values.push(last.createdAt)}, $${values.push(last.id)})`
    : ''
  const matching = `WITH found AS MATERIALIZED (${found}) SELECT created_at, id FROM found ${after}
    ORDER BY created_at ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`
  return { matching, values }
}

/** Matching entries in order. Each status has a SELECT of its own, which reads its part of an index in that order. */
function searchOf(list: List, { limit, offset, direction, last }: Reach) {
  const { table, statuses } = list
  const { wanted, values } = wantedOf(list)
  if (last) {
    const [at, id] = [`$${values.push(last.createdAt)}`, `$${values.push(last.id)}`]
    // The first of the two says where the index is entered, also beside another bound of the time.
    wanted.push(`t.created_at <= ${at}`, `(t.created_at, t.id) < (${at}, ${id})`)
  }
  const selectOf = (rows: string, ...more: string[]) =>
    `SELECT t.created_at, t.id FROM ${table} t WHERE ${[...wanted, ...more].join(' AND ')}
     ORDER BY t.created_at ${direction}, t.id ${direction} ${rows}`
  const rows = `LIMIT ${limit} OFFSET ${offset}`
  const ofStatuses = [...new Set(statuses)].map((status) => `t.status = $${values.push(status)}`)
  if (ofStatuses.length <= 1) return { matching: selectOf(rows, ...ofStatuses), values }
  const selects = ofStatuses.map((status) => `(${selectOf(`LIMIT ${offset + limit}`, status)})`)
  const matching = `SELECT created_at, id FROM (${selects.join(' UNION ALL ')}) AS each
    ORDER BY created_at ${direction}, id ${direction} ${rows}`
  return { matching, values }
}

/** The conditions of a time from and to, epoch milliseconds, inclusive. */
export function createdBetween(
  from: number | undefined,
  to: number | undefined,
): readonly (readonly [string, unknown])[] {
  return [
    ['t.created_at >= to_timestamp($ / 1000.0)', from],
    ['t.created_at <= to_timestamp($ / 1000.0)', to],
  ]
}
