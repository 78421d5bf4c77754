import { LRUCache } from 'lru-cache'
import { COUNTED_MAX, listPage, rowsToRead, type ListPage } from '../list-page'
import { placeOf } from '../list-place'
import { positionBefore, type Position } from './list-position'
import type { Pool } from './postgres'

/**
 * A seller's list, newest first, of a table with `id`, `seller_id` and `created_at`. `select`: a SELECT of an entry,
 * whose table has the alias `t`; it begins with SELECT. `conditions`: each with `$` for its value; one without a value is left out.
 */
export type List = {
  table: string
  select: string
  sellerId: number
  conditions: readonly (readonly [condition: string, value: unknown])[]
  /** Any of these statuses; empty: all. */
  statuses: readonly string[]
  /**
   * Columns whose times lie between two bounds. Each has an index that begins with seller_id and the column, and
   * holds the other columns of ranges. `created_at` may be one of them.
   */
  ranges?: readonly Range[]
}

/** Epoch milliseconds, inclusive. An undefined bound limits nothing. */
export type Range = { column: string; from: number | undefined; to: number | undefined }

/** The request of listPage. `after`: the page follows the entry with this id, at its `place` where that is known. */
export type ListRequest = {
  page: number
  size: number
  after: number | string | undefined
  place?: string | undefined
}
/** The request of the entries that follow one, for a caller that reads all. */
export type FollowingRequest = Pick<ListRequest, 'size' | 'after' | 'place'>

/**
 * A page of a list. Its index begins with the filtered column and ends with created_at, id. Throws PAGE_TOO_DEEP.
 *
 * Five ways lead to a page, so that each costs little however long the list is:
 *
 *     the last page that a number reaches ──▶ 1 read, no count: entries behind it prove that the list is longer
 *     no range, or one of created_at ───────▶ 2 read in the order of the list; count when entries follow the page
 *     another range ┬ short without it ─────▶ 2 the same
 *                   ├ the range finds few ──▶ 3 count them, then sort these few
 *                   └ it finds many ────────▶ 4 count up to the limit, then read in the order of the list
 *     a reader of all entries ──────────────▶ 5 readFollowing: the way of 3 or 4, without a total
 */
export async function readList<Entry extends object>(
  pool: Pool,
  list: List,
  request: ListRequest,
): Promise<ListPage<Entry>> {
  if (isLastNumbered(request)) {
    // If entries follow this page, the list has more than are counted, so no count is needed.
    const { entries, place } = await findPage<Entry>(pool, list, request, { within: 2 * COUNTED_MAX })
    if (entries.length > request.size) return { ...listPage(entries, COUNTED_MAX + 1, request), place }
  }
  const narrow = narrowestOf(rangesOf(list))
  if (narrow && !(await isShort(pool, list))) return readRanged(pool, list, narrow, request)
  const { entries, place } = await findPage<Entry>(pool, list, request)
  return { ...listPage(entries, endOf(entries, request) ?? (await count(pool, list)), request), place }
}

/** How many entries a list has whose end the page has reached. Undefined: the page does not show it. */
function endOf(entries: readonly object[], { page, size, after }: ListRequest): number | undefined {
  const isEnd = entries.length <= size && (page === 0 || entries.length > 0)
  return isEnd && after === undefined ? page * size + entries.length : undefined
}

function isLastNumbered({ page, size, after }: ListRequest): boolean {
  return after === undefined && page * size < COUNTED_MAX && (page + 1) * size >= COUNTED_MAX
}

/** The column that lists are ordered by. */
const ORDER = 'created_at'

function rangesOf({ ranges = [] }: List): readonly Range[] {
  return ranges.filter(({ from, to }) => from !== undefined || to !== undefined)
}

/**
 * The range that spans the least time: PostgreSQL plans for any values, and can't know it. Undefined when the order of
 * the list leads to the entries.
 */
function narrowestOf(ranges: readonly Range[]): Range | undefined {
  if (ranges.every(({ column }) => column === ORDER)) return undefined
  const spanOf = ({ from = 0, to = Date.now() }: Range) => to - from
  return ranges.toSorted((one, other) => spanOf(one) - spanOf(other))[0]
}

/** True when a list without its ranges is short enough to be counted whole: it is then read in its own order. */
async function isShort(pool: Pool, list: List): Promise<boolean> {
  const isOfAll = list.statuses.length === 0 && list.conditions.every(([, value]) => value === undefined)
  return !isOfAll && (await count(pool, { ...list, ranges: [] })) <= COUNTED_MAX
}

/**
 * Counts first, to learn which way to the page is the short one. Few entries are found and sorted. When there are more
 * than are counted, the page is found in the order of the list.
 */
async function readRanged<Entry extends object>(
  pool: Pool,
  list: List,
  narrow: Range,
  request: ListRequest,
): Promise<ListPage<Entry>> {
  const counted = await countWithin(pool, list, narrow)
  const way = counted <= COUNTED_MAX ? { narrow } : {}
  const { entries, place } = await findPage<Entry>(pool, list, request, way)
  return { ...listPage(entries, counted, request), place }
}

function countWithin(pool: Pool, list: List, narrow: Range): Promise<number> {
  const { matching, values } = withinRange(list, narrow)
  return countOf(pool, matching, values)
}

/** Reads the next entries of a list without their count, for a caller that reads all. Throws for an unknown `after`. */
export async function readFollowing<Entry extends object>(
  pool: Pool,
  list: List,
  { size, ...from }: FollowingRequest,
): Promise<Pick<ListPage<Entry>, 'entries' | 'more' | 'place'>> {
  const narrow = narrowestOf(rangesOf(list))
  const way = narrow && (await countWithin(pool, list, narrow)) <= COUNTED_MAX ? { narrow } : {}
  const { entries, place } = await findPage<Entry>(pool, list, { page: 0, size, ...from }, way)
  return { entries: entries.slice(0, size), more: entries.length > size, place }
}

/** Counts from the oldest entries: their rows are settled, so that the index alone shows which of them exist. */
function count(pool: Pool, list: List): Promise<number> {
  const { matching, values } = searchOf(list, { limit: COUNTED_MAX + 1, offset: 0, direction: 'ASC' })
  return countOf(pool, matching, values)
}

/** A list with more entries than are counted is seldom short a moment later. */
const LONG_FOR_MS = 10_000
const LONG_LISTS_MAX = 1_000
const longLists = new WeakMap<Pool, LRUCache<string, true>>()

function longListsOf(pool: Pool): LRUCache<string, true> {
  const known = longLists.get(pool)
  if (known) return known
  const lists = new LRUCache<string, true>({ max: LONG_LISTS_MAX, ttl: LONG_FOR_MS })
  longLists.set(pool, lists)
  return lists
}

/** Counts a list, but not again for a while when it was too long: a reader who turns pages pays once. */
async function countOf(pool: Pool, matching: string, values: unknown[]): Promise<number> {
  const known = longListsOf(pool)
  const list = JSON.stringify([matching, values])
  if (known.has(list)) return COUNTED_MAX + 1
  const { rows } = await pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM (${matching}) AS found`,
    values,
  )
  const counted = rows[0]?.total ?? 0
  if (counted > COUNTED_MAX) known.set(list, true)
  return counted
}

/**
 * How a page is found: by a range that finds few, or in the order of the list. `within`: the most entries to look at in
 * that order, when ranges leave some out.
 */
type Way = { narrow?: Range; within?: number }

/**
 * An index alone gives the ids of a page; only the entries of that page are read whole. `place`: where the last entry
 * of the page stands.
 */
async function findPage<Entry extends object>(
  pool: Pool,
  list: List,
  request: ListRequest,
  { narrow, within }: Way = {},
): Promise<Pick<ListPage<Entry>, 'entries' | 'place'>> {
  const last = await positionBefore(pool, list, request)
  const reach: Reach = { ...rowsToRead(request), direction: 'DESC', last, within }
  const { matching, values } = narrow ? sortedOf(list, narrow, reach) : searchOf(list, reach)
  const text = `SELECT ${placeOf('t.created_at')} AS place, ${list.select.slice('SELECT '.length)} WHERE t.id = ANY (ARRAY(SELECT id FROM (${matching}) AS found))
     ORDER BY t.created_at DESC, t.id DESC`
  // A later page has a text of its own. As an object it is not prepared, and takes the place of no text that is asked often.
  const { rows } = await (request.page === 0
    ? pool.query<Entry & { place: string }>(text, values)
    : pool.query<Entry & { place: string }>({ text, values }))
  const entries = rows.map(({ place: _place, ...entry }) => entry as unknown as Entry)
  return { entries, place: rows.slice(0, request.size).at(-1)?.place }
}

type Reach = {
  limit: number
  offset: number
  direction: 'ASC' | 'DESC'
  last?: Position | undefined
  within?: number | undefined
}

type Condition = List['conditions'][number]

/** The conditions in SQL; their values are added to `values`. */
function wantedOf(conditions: readonly Condition[], values: unknown[]): string[] {
  return conditions.flatMap(([condition, value]) =>
    value === undefined ? [] : [condition.replace('$', `$${values.push(value)}`)],
  )
}

function boundsOf(ranges: readonly Range[]): Condition[] {
  return ranges.flatMap(({ column, from, to }) => between(`t.${column}`, from, to))
}

/** Rows of the table in the order of an index. OFFSET 0 keeps the outer query out: it would mislead the plan. */
function fenced(table: string, wanted: readonly string[], order: string, within?: number): string {
  const most = within === undefined ? '' : `LIMIT ${within}`
  return `(SELECT * FROM ${table} t WHERE ${wanted.join(' AND ')} ORDER BY ${order} ${most} OFFSET 0) t`
}

const where = (wanted: readonly string[]) => (wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : '')

/** Matching entries, found by the index of a range: at most one more than are counted. */
function withinRange(list: List, narrow: Range) {
  const values: unknown[] = [list.sellerId]
  const inside = ['t.seller_id = $1', ...wantedOf(boundsOf([narrow]), values)]
  const others = rangesOf(list).filter(({ column }) => column !== narrow.column)
  const wanted = wantedOf([...list.conditions, ...boundsOf(others)], values)
  if (list.statuses.length > 0) wanted.push(`t.status = ANY($${values.push(list.statuses)})`)
  const order = `t.${narrow.column}`
  const from =
    wanted.length > 0
      ? `${fenced(list.table, inside, order)} ${where(wanted)}`
      : `${list.table} t ${where(inside)} ORDER BY ${order}`
  const matching = `SELECT t.created_at, t.id FROM ${from} LIMIT ${COUNTED_MAX + 1}`
  return { matching, values }
}

/** A page of few matching entries: all of them are found, then sorted. */
function sortedOf(list: List, narrow: Range, { limit, offset, direction, last }: Reach) {
  const { matching: found, values } = withinRange(list, narrow)
  const after = last
    ? `WHERE (created_at, id) < ($${values.push(last.createdAt)}, $${values.push(last.id)})`
    : ''
  const matching = `WITH found AS MATERIALIZED (${found}) SELECT created_at, id FROM found ${after}
    ORDER BY created_at ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`
  return { matching, values }
}

/** Matching entries in order. Each status has a SELECT of its own, which reads its part of an index in that order. */
function searchOf(list: List, { limit, offset, direction, last, within }: Reach) {
  const values: unknown[] = [list.sellerId]
  const ranges = rangesOf(list)
  const inOrder = boundsOf(ranges.filter(({ column }) => column === ORDER))
  const wanted = ['t.seller_id = $1', ...wantedOf([...list.conditions, ...inOrder], values)]
  if (last) {
    const [at, id] = [`$${values.push(last.createdAt)}`, `$${values.push(last.id)}`]
    // The first condition says where the index is entered, even beside another bound of the time.
    wanted.push(`t.created_at <= ${at}`, `(t.created_at, t.id) < (${at}, ${id})`)
  }
  const ranged = wantedOf(boundsOf(ranges.filter(({ column }) => column !== ORDER)), values)
  const order = `t.created_at ${direction}, t.id ${direction}`
  const selectOf = (rows: string, ...more: string[]) => {
    const inside = [...wanted, ...more]
    const from =
      ranged.length > 0
        ? `${fenced(list.table, inside, order, within)} ${where(ranged)}`
        : `${list.table} t ${where(inside)}`
    return `SELECT t.created_at, t.id FROM ${from} ORDER BY ${order} ${rows}`
  }
  const rows = `LIMIT ${limit} OFFSET ${offset}`
  const ofStatuses = [...new Set(list.statuses)].map((status) => `t.status = $${values.push(status)}`)
  if (ofStatuses.length <= 1) return { matching: selectOf(rows, ...ofStatuses), values }
  const selects = ofStatuses.map((status) => `(${selectOf(`LIMIT ${offset + limit}`, status)})`)
  const matching = `SELECT created_at, id FROM (${selects.join(' UNION ALL ')}) AS each
    ORDER BY created_at ${direction}, id ${direction} ${rows}`
  return { matching, values }
}

/** The conditions for a time between `from` and `to`, epoch milliseconds, inclusive. */
export function between(column: string, from: number | undefined, to: number | undefined): Condition[] {
  return [
    [`${column} >= $`, from === undefined ? undefined : new Date(from)],
    [`${column} <= $`, to === undefined ? undefined : new Date(to)],
  ]
}

export function createdBetween(from: number | undefined, to: number | undefined): Condition[] {
  return between('t.created_at', from, to)
}
