import { COUNTED_MAX, listPage, rowsToRead, type ListPage } from '@cofre/platform/list-page'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { SEEN, type DeliveryStatus, type SeenDelivery } from './delivery-search-store'

export type DeliveryQuery = {
  sellerId: number
  /** None: all. */
  statuses: readonly DeliveryStatus[]
  /** Undefined: all. */
  types: readonly string[] | undefined
  endpointId: number | undefined
  /** Without a kind: of any. */
  resource: { kind?: string | undefined; id: string } | undefined
  /** Bounds of the creation time, both ends included. */
  createdFrom: Date | undefined
  createdTo: Date | undefined
  page: number
  size: number
  /** Only the first delivery of each event. */
  isFirst?: true
  /** The id of the delivery that the page follows, whatever `page` says. */
  after?: number | undefined
}

/** A page of a seller's deliveries, newest first. Throws PAGE_TOO_DEEP. */
export async function findDeliveries(pool: Pool, query: DeliveryQuery): Promise<ListPage<SeenDelivery>> {
  const ids = await idsMadeIn(pool, query)
  const page = searchOf(query, ids, { ...rowsToRead(query), direction: 'DESC', before: query.after })
  const whole = searchOf(query, ids, { limit: COUNTED_MAX + 1, offset: 0, direction: 'ASC' })
  const [found, counted] = await Promise.all([
    pool.query<SeenDelivery>(
      `SELECT ${SEEN} FROM deliveries WHERE id = ANY (ARRAY(${page.matching})) ORDER BY id DESC`,
      page.values,
    ),
    pool.query<{ total: number }>(`SELECT count(*) AS total FROM (${whole.matching}) AS found`, whole.values),
  ])
  return listPage(found.rows, counted.rows[0]?.total ?? 0, query)
}

type Reach = { limit: number; offset: number; direction: 'ASC' | 'DESC'; before?: number | undefined }
/** A range of ids that holds all deliveries of a period, and few others. */
type Ids = { first?: number | undefined; last?: number | undefined }

/** The column whose index is read, and its wanted values. */
type Lead = { column: string; each: readonly unknown[] }

/**
 * In SQL, of listed deliveries only those that no earlier one of their event precedes. Each OFFSET 0 is a fence: the
 * deliveries are read in the order of an index, and looked at one by one until the page is full.
 */
function firstOfEach(listed: string, order: string): string {
  return `SELECT id FROM (${listed} OFFSET 0) AS listed CROSS JOIN LATERAL (
      SELECT FROM deliveries AS found WHERE found.id = listed.id AND NOT EXISTS (
        SELECT FROM deliveries AS earlier WHERE earlier.webhook_id = found.webhook_id AND earlier.id < found.id)
      OFFSET 0) AS first ${order}`
}

/** The filter that leaves the fewest rows: few deliveries fail or wait, and many of a type may be delivered. */
function leadOf({ resource, endpointId, statuses, types }: DeliveryQuery): Lead | undefined {
  if (resource) return { column: 'resource_id', each: [resource.id] }
  if (endpointId !== undefined) return { column: 'endpoint_id', each: [endpointId] }
  if (types && (statuses.length === 0 || statuses.includes('DELIVERED')))
    return { column: 'event_type', each: types }
  return statuses.length > 0 ? { column: 'status', each: [...new Set(statuses)] } : undefined
}

/**
 * The query for ids, in order. Each value of the leading column has a SELECT of its own, which reads its part of an
 * index in that order. Plans are made without the values: BETWEEN and the order force this index, and `=` would not.
 */
function searchOf(query: DeliveryQuery, ids: Ids, { limit, offset, direction, before }: Reach) {
  const { sellerId, endpointId, resource, statuses, types, createdFrom, createdTo } = query
  const values: unknown[] = [sellerId]
  const where = ['seller_id = $1']
  const add = (condition: string, value: unknown) => {
    if (value !== undefined) where.push(condition.replace('?', `$${values.push(value)}`))
  }
  const lead = leadOf(query)
  add('id < ?', before)
  add('id >= ?', ids.first)
  add('id <= ?', ids.last)
  add('created_at >= ?', createdFrom)
  // Times are shown in whole milliseconds, so the end includes its whole millisecond.
  add('created_at < ?', createdTo && new Date(createdTo.getTime() + 1))
  add('resource_kind = ?', resource?.kind)
  if (lead?.column !== 'endpoint_id') add('endpoint_id = ?', endpointId)
  if (lead?.column !== 'event_type') add('event_type = ANY(?)', types)
  if (lead?.column !== 'status') add('status = ANY(?)', statuses.length > 0 ? statuses : undefined)
  const rows = `LIMIT ${limit} OFFSET ${offset}`
  const selectOf = (condition: string, column: string, some: string) => {
    const names = column === '' ? 'id' : `id, ${column}`
    const order = `ORDER BY ${column === '' ? '' : `${column} ${direction},`} id ${direction}`
    const all = (selected: string) =>
      `SELECT ${selected} FROM deliveries WHERE ${[...where, condition].join(' AND ')} ${order}`
    return query.isFirst ? `${firstOfEach(all(names), order)} ${some}` : `${all('id')} ${some}`
  }
  if (!lead) return { matching: selectOf('true', '', rows), values }
  // No known type matches the filter.
  if (lead.each.length === 0) return { matching: selectOf('false', '', rows), values }
  const selects = lead.each.map((each) => {
    const [column, value] = [lead.column, `$${values.push(each)}`]
    const some = lead.each.length === 1 ? rows : `LIMIT ${offset + limit}`
    return selectOf(`${column} BETWEEN ${value} AND ${value}`, column, some)
  })
  if (selects.length === 1) return { matching: selects[0] ?? '', values }
  const all = selects.map((select) => `(${select})`).join(' UNION ALL ')
  return { matching: `SELECT id FROM (${all}) AS each ORDER BY id ${direction} ${rows}`, values }
}

/** Ids grow with time, except for deliveries stored within this time of each other. */
const MARGIN_MS = 60_000

/** The range of ids in the wanted period, found by bisection, since no index holds the time. */
async function idsMadeIn(pool: Pool, { createdFrom, createdTo }: DeliveryQuery): Promise<Ids> {
  const [first, last] = await Promise.all([
    createdFrom && firstIdAt(pool, new Date(createdFrom.getTime() - MARGIN_MS)),
    createdTo && firstIdAt(pool, new Date(createdTo.getTime() + MARGIN_MS)),
  ])
  return { first, last }
}

/** The first id from which deliveries are at least as young as `at`. Reads some 40 rows, however many there are. */
async function firstIdAt(pool: Pool, at: Date): Promise<number | undefined> {
  const { rows } = await pool.query<{ id: number | null }>(
    `WITH RECURSIVE halved(low, high) AS (
       SELECT min(id), max(id) + 1 FROM deliveries
       UNION ALL
       SELECT CASE WHEN probe.created_at < $1 THEN probe.id + 1 ELSE low END,
         CASE WHEN probe.created_at < $1 THEN high ELSE (low + high) / 2 END
       FROM halved CROSS JOIN LATERAL (
         SELECT id, created_at FROM deliveries WHERE id >= (low + high) / 2 ORDER BY id LIMIT 1) AS probe
       WHERE low < high)
     SELECT max(low) AS id FROM halved`,
    [at],
  )
  return rows[0]?.id ?? undefined
}
