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
  resource: { kind: string; id: string } | undefined
  /** Made in this time, both ends included. */
  createdFrom: Date | undefined
  createdTo: Date | undefined
  page: number
  size: number
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
/** Ids that hold all deliveries of a time, and few others. */
type Ids = { first?: number | undefined; last?: number | undefined }

/**
 * Ids in order. Each type, or else each status, has a SELECT of its own, which reads its part of an index in that order;
 * an endpoint or a resource has an index of its own.
 */
function searchOf(query: DeliveryQuery, ids: Ids, { limit, offset, direction, before }: Reach) {
  const { sellerId, endpointId, resource, createdFrom, createdTo } = query
  const values: unknown[] = [sellerId]
  const where = ['seller_id = $1']
  const add = (condition: string, value: unknown) => {
    if (value !== undefined) where.push(`${condition} $${values.push(value)}`)
  }
  add('id <', before)
  add('id >=', ids.first)
  add('id <=', ids.last)
  add('created_at >=', createdFrom)
  // As they are shown, in whole milliseconds.
  add('created_at <', createdTo && new Date(createdTo.getTime() + 1))
  add('endpoint_id =', endpointId)
  add('resource_kind =', resource?.kind)
  add('resource_id =', resource?.id)
  const statuses = [...new Set(query.statuses)]
  if (query.types && statuses.length > 0) where.push(`status = ANY($${values.push(statuses)})`)
  const [column, wanted] = query.types ? ['event_type', query.types] : ['status', statuses]
  const selectOf = (rows: string, condition = '') =>
    `SELECT id FROM deliveries WHERE ${where.join(' AND ')} ${condition} ORDER BY id ${direction} ${rows}`
  const rows = `LIMIT ${limit} OFFSET ${offset}`
  const conditions = wanted.map((each) => `AND ${column} = $${values.push(each)}`)
  if (conditions.length === 0) return { matching: selectOf(rows, query.types && 'AND false'), values }
  if (conditions.length === 1) return { matching: selectOf(rows, conditions[0]), values }
  const selects = conditions.map((each) => `(${selectOf(`LIMIT ${offset + limit}`, each)})`)
  const matching = `SELECT id FROM (${selects.join(' UNION ALL ')}) AS each ORDER BY id ${direction} ${rows}`
  return { matching, values }
}

/** Ids are given in the order of time, but for what was stored within this time of each other. */
const MARGIN_MS = 60_000

/** Bounds of the ids made in the time asked for: found by halving, as no index holds the time. */
async function idsMadeIn(pool: Pool, { createdFrom, createdTo }: DeliveryQuery): Promise<Ids> {
  const [first, last] = await Promise.all([
    createdFrom && firstIdAt(pool, new Date(createdFrom.getTime() - MARGIN_MS)),
    createdTo && firstIdAt(pool, new Date(createdTo.getTime() + MARGIN_MS)),
  ])
  return { first, last }
}

/** The first id from which on deliveries are as young, found with a look at some 40 rows however many there are. */
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
