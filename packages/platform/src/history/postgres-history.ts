import { unavailable } from '../errors'
import {
  HISTORY_KEPT_MS,
  type History,
  type HistoryEntry,
  type HistoryPage,
  type HistoryQuery,
} from './history'
import { COUNTED_MAX, listPage, rowsToRead, unknownAfter } from '../list-page'
import { placeOf, timeAt } from '../list-place'
import { repeat } from '../service/lifecycle'
import type { Logger } from '../telemetry/log'
import { isDatabaseDown, type Pool } from '../postgres/postgres'

const FORGET_EVERY_MS = 10_000
// With the rest, this keeps up with 500 entries a second in each process. When more is due, it does not rest.
const FORGET_AT_ONCE = 5_000
// A filter without an index searches only so many of the newest entries: it must not hold up the service.
const SEARCHED_MAX = 20_000
const COLUMNS = 'id, at, seller_id AS "sellerId", subject, facts, detail'

/** History in the table of the service's own database. `close` leaves the pool open: it is the service's. */
export function openPostgresHistory(pool: Pool, log: Logger): History {
  const forgetting = repeat(
    () => forget(pool),
    FORGET_EVERY_MS,
    (err) => log.warn({ err }, 'forgetting history will try again'),
  )
  return {
    append: (entries) => ask(append(pool, entries)),
    find: (query) => ask(find(pool, query)),
    get: (sellerId, id) => ask(get(pool, sellerId, id)),
    close: () => forgetting.stop(),
  }
}

async function ask<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDatabaseDown(error) ? unavailable('The history does not answer.') : error
  }
}

async function append(pool: Pool, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return
  await pool.query({
    name: 'append-history',
    text: `INSERT INTO history (id, at, seller_id, subject, facts, detail)
      SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::jsonb[], $6::text[])
      ON CONFLICT (id) DO NOTHING`,
    values: [
      entries.map(({ id }) => id),
      entries.map(({ at }) => new Date(at).toISOString()),
      entries.map(({ sellerId }) => sellerId),
      entries.map(({ subject }) => subject),
      entries.map(({ facts }) => JSON.stringify(facts)),
      entries.map(({ detail }) => detail),
    ],
  })
}

type Row = Omit<HistoryEntry, 'at'> & { at: Date }

function entryOf({ at, ...row }: Row): HistoryEntry {
  return { ...row, at: at.getTime() }
}

async function find(pool: Pool, query: HistoryQuery): Promise<HistoryPage> {
  const { limit, offset } = rowsToRead(query)
  const last = await positionBefore(pool, query)
  const page = conditionsOf(query, last)
  const whole = conditionsOf(query)
  const [rows, counted] = await Promise.all([
    pool.query<Row & { place: string }>(
      `SELECT ${COLUMNS}, ${placeOf('at')} AS place FROM (${page.newest}) AS newest WHERE ${page.where} ORDER BY at DESC, id DESC
       LIMIT ${limit} OFFSET ${offset}`,
      page.values,
    ),
    pool.query<{ total: number }>(
      `SELECT count(*) AS total FROM (
         SELECT FROM (${whole.newest}) AS newest WHERE ${whole.where} LIMIT ${COUNTED_MAX + 1}) AS found`,
      whole.values,
    ),
  ])
  const { entries, ...end } = listPage(rows.rows, counted.rows[0]?.total ?? 0, query)
  const entriesOf = entries.map(({ place: _place, ...row }) => entryOf(row))
  return { ...end, entries: entriesOf, place: entries.at(-1)?.place }
}

/** The position of an entry in the list. Its time is text, because a Date has no microseconds. */
type Position = { at: string; id: string }

async function positionBefore(
  pool: Pool,
  { sellerId, after: id, place }: HistoryQuery,
): Promise<Position | undefined> {
  if (id === undefined) return undefined
  if (place !== undefined) return { at: timeAt(place), id }
  const { rows } = await pool.query<Position>(
    'SELECT at::text, id FROM history WHERE id = $1 AND seller_id = $2',
    [id, sellerId],
  )
  if (!rows[0]) throw unknownAfter()
  return rows[0]
}

function conditionsOf({ sellerId, subject, facts = {}, from, to }: HistoryQuery, last?: Position) {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const oldest = Math.max(from ?? 0, Date.now() - HISTORY_KEPT_MS)
  const conditions = [
    `seller_id = ${given(sellerId)}`,
    `at >= ${given(new Date(oldest))}`,
    ...(to === undefined ? [] : [`at <= ${given(new Date(to))}`]),
    ...(subject === undefined ? [] : [`subject = ${given(subject)}`]),
    ...(last === undefined ? [] : [`(at, id) < (${given(last.at)}, ${given(last.id)})`]),
  ]
  const filters = [
    'true',
    ...Object.entries(facts).map(
      ([name, among]) => `facts ->> ${given(name)} = ANY(${given(among.map(String))}::text[])`,
    ),
  ]
  const newest = `SELECT * FROM history WHERE ${conditions.join(' AND ')} ORDER BY at DESC, id DESC LIMIT ${SEARCHED_MAX}`
  return { newest, where: filters.join(' AND '), values }
}

async function get(pool: Pool, sellerId: number, id: string): Promise<HistoryEntry | undefined> {
  const { rows } = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM history WHERE id = $1 AND seller_id = $2 AND at >= $3`,
    [id, sellerId, new Date(Date.now() - HISTORY_KEPT_MS)],
  )
  return rows[0] && entryOf(rows[0])
}

/** Deletes expired entries; many processes may do so at once. Returns 0 unless more may be due. */
async function forget(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM history WHERE id IN (
       SELECT id FROM history WHERE at < $1 ORDER BY at LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    [new Date(Date.now() - HISTORY_KEPT_MS)],
  )
  return rowCount === FORGET_AT_ONCE ? FORGET_AT_ONCE : 0
}
