import { callRpc } from '@cofre/platform/grpc/client'
import { DeliveryStatus, type ListDeliveriesRequest } from '@cofre/proto/notifier/v1/notifier'
import { createPool } from '@cofre/platform/postgres/postgres'
import { PATIENT } from '@cofre/testing/testing'
import { findDeliveries, type DeliveryQuery } from '../src/deliveries/delivery-list-store'
import { startNotifier, type Notifier } from './support/notifier'

const SELLER = 7
const HOUR_MS = 3_600_000
const NO_FILTER = { types: undefined, endpointId: undefined, resource: undefined, createdFrom: undefined }
const ALL = { sellerId: SELLER, statuses: [], ...NO_FILTER, createdTo: undefined, page: 0, size: 100 }

let notifier: Notifier
beforeAll(async () => {
  notifier = await startNotifier()
})
afterAll(() => notifier.stop())
beforeEach(() => notifier.pool.query('TRUNCATE deliveries CASCADE'))

type Row = { type: string; endpointId?: number; kind?: string; resourceId?: string; hoursAgo?: number }
type Kept = Row & { sellerId?: number; status?: string }

/** Stores deliveries, the oldest first. Returns their ids. */
async function keep(...rows: Kept[]): Promise<number[]> {
  const ids: number[] = []
  for (const { type, endpointId, sellerId = SELLER, status = 'DELIVERED', ...row } of rows) {
    const [kind, id] = [row.kind ?? type.split('.')[0], row.resourceId ?? '981']
    const { rows: made } = await notifier.pool.query(
      `INSERT INTO deliveries (webhook_id, endpoint_id, seller_id, event_type, resource_kind, resource_id, resource_url,
         sequence, url, body, traceparent, status, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, '', 1, 'https://shop.example', '', '', $6,
         now() - $7 * interval '1 hour') RETURNING id`,
      [endpointId ?? null, sellerId, type, kind, id, status, row.hoursAgo ?? 0],
    )
    ids.push(made[0].id)
  }
  return ids
}

async function found(change: Partial<ListDeliveriesRequest>): Promise<number[]> {
  const page = { sellerId: SELLER, statuses: [], eventTypes: [], page: 0, size: 100, ...change }
  const { deliveries, total } = await callRpc(notifier.client, notifier.client.listDeliveries, page)
  expect(total).toBe(deliveries.length)
  return deliveries.map(({ id }) => id)
}

test('deliveries are found by type, by name or by prefix, and with a status', async () => {
  const [captured, refunded, paid, failed] = await keep(
    { type: 'charge.captured' },
    { type: 'charge.refunded' },
    { type: 'invoice.paid' },
    { type: 'charge.captured', status: 'FAILED' },
    { type: 'charge.captured', sellerId: SELLER + 1 },
  )
  expect(await found({ eventTypes: ['charge.captured'] })).toEqual([failed, captured])
  expect(await found({ eventTypes: ['charge.*'] })).toEqual([failed, refunded, captured])
  expect(await found({ eventTypes: ['invoice.paid', 'charge.refunded'] })).toEqual([paid, refunded])
  const statuses = [DeliveryStatus.DELIVERED, DeliveryStatus.PENDING]
  expect(await found({ eventTypes: ['charge.*'], statuses })).toEqual([refunded, captured])
  expect(await found({ eventTypes: ['charge.lost'] })).toEqual([])
})

test('a filter with a status that no delivery has is refused', async () => {
  for (const statuses of [
    [DeliveryStatus.UNSPECIFIED],
    [DeliveryStatus.FAILED, DeliveryStatus.UNSPECIFIED],
  ]) {
    await expect(found({ statuses })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      extra: { errors: [{ pointer: '#/statuses', code: 'ENUM' }] },
    })
  }
})

test('deliveries are found by endpoint, by resource, and by both', async () => {
  const [one, two, three] = await keep(
    { type: 'charge.captured', endpointId: 1 },
    { type: 'charge.captured', endpointId: 2 },
    { type: 'invoice.paid', endpointId: 1 },
  )
  const other = await keep({ type: 'charge.captured', endpointId: 1, resourceId: '982' })
  expect(await found({ endpointId: 1 })).toEqual([...other, three, one])
  expect(await found({ resourceKind: 'charge', resourceId: '981' })).toEqual([two, one])
  expect(await found({ resourceKind: 'charge', resourceId: '981', endpointId: 1 })).toEqual([one])
  expect(await found({ endpointId: 3 })).toEqual([])
})

test.each([
  [{ resourceKind: 'charge' }, '#/resourceId'],
  [{ resourceId: '981' }, '#/resourceKind'],
])('a filter with %p alone is refused', async (filter, pointer) => {
  await expect(found(filter)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer, code: 'REQUIRED' }] },
  })
})

test('deliveries are found by period, both ends included, though rows were stored out of order', async () => {
  const ages = [30, 20, 10.01, 10.012, 10, 5, 1]
  const ids = await keep(...ages.map((hoursAgo) => ({ type: 'charge.captured', hoursAgo })))
  const { rows } = await notifier.pool.query('SELECT created_at AS at FROM deliveries ORDER BY id')
  for (const [from, to] of [
    [0, 6],
    [1, 4],
    [3, 3],
    [2, 2],
    [5, 6],
  ] as const) {
    const [createdFrom, createdTo] = [rows[from]?.at, rows[to]?.at]
    const { entries } = await findDeliveries(notifier.pool, { ...ALL, createdFrom, createdTo })
    const expected = rows.flatMap(({ at }, index) =>
      at >= createdFrom && at <= createdTo ? [ids[index]] : [],
    )
    expect(entries.map(({ id }) => id)).toEqual(expected.reverse())
  }
  const now = Date.now()
  expect(await found({ createdFrom: now - 6 * HOUR_MS })).toEqual([ids[6], ids[5]])
  expect(await found({ createdTo: now - 25 * HOUR_MS })).toEqual([ids[0]])
  expect(await found({ createdFrom: now + HOUR_MS })).toEqual([])
  expect(await found({ createdTo: 0 })).toEqual([])
})

test('a few deliveries among 20,000 are found by reading few rows', async () => {
  const rare = await keep({ type: 'invoice.paid', endpointId: 5, resourceId: '77', hoursAgo: 40 })
  // One connection, so that all queries run in one transaction.
  const pool = createPool({ url: notifier.url, max: 1, name: 'test', ...PATIENT }, () => {})
  await pool.query(
    `INSERT INTO deliveries (webhook_id, endpoint_id, seller_id, event_type, resource_kind, resource_id, resource_url,
       sequence, url, body, traceparent, status, created_at)
     SELECT gen_random_uuid(), 1, $1, 'charge.captured', 'charge', n::text, '', 1, 'https://shop.example', '', '',
       'DELIVERED', now() - (1020001 - n) * interval '5 seconds'
     FROM generate_series(1000001, 1020000) AS n`,
    [SELLER],
  )
  await pool.query('ANALYZE deliveries')
  // Only this transaction's reads are counted: an autovacuum reads the same table when it likes.
  await pool.query('BEGIN')
  const read = async () => {
    const { rows } = await pool.query(
      `SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'`,
    )
    return Number(rows[0]?.rows)
  }
  const before = await read()
  const ids = async (change: Partial<DeliveryQuery>) =>
    (await findDeliveries(pool, { ...ALL, ...change })).entries.map(({ id }) => id)
  expect(await ids({ types: ['invoice.paid', 'invoice.created'] })).toEqual(rare)
  expect(await ids({ endpointId: 5 })).toEqual(rare)
  expect(await ids({ resource: { kind: 'invoice', id: '77' } })).toEqual(rare)
  expect(await ids({ createdTo: new Date(Date.now() - 39 * HOUR_MS) })).toEqual(rare)

  expect((await read()) - before).toBeLessThan(100)
  await pool.query('ROLLBACK')
  await pool.end()
})
