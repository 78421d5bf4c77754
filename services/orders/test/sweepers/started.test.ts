import { createLog } from '@cofre/platform/telemetry/log'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { startSweepers } from '../../src/sweepers/sweepers'
import { authorize, order } from '../support/orders'
import {
  get,
  newSeller,
  passDeadlines,
  resolved,
  startOrders,
  withKey,
  type TestOrders,
} from '../support/start-orders'

const HALF_A_MINUTE = 30_000

let orders: TestOrders
let events: TestDatabase
let sweepers: Loop[]
/** The charges that are overdue before the sweepers start. */
let old: { held: Charge; failed: Charge; unanswered: Charge; captured: Charge }

beforeAll(async () => {
  orders = await startOrders()
  events = await createTestDatabase()
  const sellerId = await newSeller(orders)
  const held = await withKey('old', () => authorize(orders, order(sellerId)))
  const unknown = async () => {
    orders.acquirer.fail('sale', 'lost_undone')
    const charge = await authorize(orders, order(sellerId))
    await passDeadlines(orders, charge)
    return charge
  }
  const failed = await unknown()
  await resolved(orders, failed, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))
  await orders.pool.query("UPDATE charges SET look_again_at = now() - interval '1 hour' WHERE id = $1", [
    failed.id,
  ])
  await orders.pool.query("UPDATE charges SET created_at = now() - interval '8 days' WHERE id = $1", [
    held.id,
  ])
  const captured = await authorize(orders, order(sellerId, { capture: true }))
  const twoDaysAgo = "now() - interval '2 days'"
  await orders.pool.query(
    `UPDATE charges SET created_at = ${twoDaysAgo}, updated_at = ${twoDaysAgo}, compare_at = now() - interval '1 minute' WHERE id = $1`,
    [captured.id],
  )
  await orders.pool.query("UPDATE idempotency SET created_at = now() - interval '8 days'")
  old = { held, failed, unanswered: await unknown(), captured }
  const eventLog = await openPostgresEventLog(events.pool, createLog('test', 'silent'))
  sweepers = startSweepers({ ...orders.deps, eventLog })
})
afterAll(async () => {
  await Promise.all(sweepers.map((each) => each.stop()))
  await orders.stop()
  await events.drop()
})

const found = async (sql: string, values: unknown[] = []) =>
  (await orders.pool.query(sql, values)).rowCount ?? 0

test.each<[string, () => Promise<void>]>([
  [
    'an authorization that nobody captured expires',
    async () => expect((await get(orders, old.held)).status).toBe(ChargeStatus.EXPIRED),
  ],
  [
    'a charge without an answer is resolved',
    async () => expect((await get(orders, old.unanswered)).status).toBe(ChargeStatus.FAILED),
  ],
  [
    'a charge that failed is looked at again',
    async () => {
      const due = 'SELECT FROM charges WHERE id = $1 AND look_again_at > now()'
      expect(await found(due, [old.failed.id])).toBe(1)
    },
  ],
  [
    'a charge is compared with the acquirer’s book',
    async () => {
      const compared = 'SELECT FROM charges WHERE id = $1 AND compare_at > now()'
      expect(await found(compared, [old.captured.id])).toBe(1)
    },
  ],
  ['an old request is forgotten', async () => expect(await found('SELECT FROM idempotency')).toBe(0)],
  ['events are published', async () => expect(await found('SELECT FROM outbox')).toBe(0)],
])('once the sweepers are started, %s', (_, check) => eventually(check, HALF_A_MINUTE))
