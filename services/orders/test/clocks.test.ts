import { existsSync } from 'node:fs'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callRpc } from '@cofre/platform/grpc/client'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { ChargeStatus, OrdersAdminClient, OrdersClient, type Charge } from '@cofre/proto/orders/v1/orders'
import { authorize, order } from './support/orders'
import { get, startOrders, withKey, type TestOrders } from './support/start-orders'
import type { Fault } from './support/small-acquirer'

const LOST: Fault[] = ['answer_lost', 'lost_undone', 'done_500', 'http_500', 'done_late']
const AT_ONCE = 20
const ROUNDS = 5
/** Shorter than a call may take: what arrives after this is in time. */
const LATE_MS = 1_500

let orders: TestOrders
let events: TestDatabase
let program: ServiceProgram

beforeAll(async () => {
  orders = await startOrders()
  events = await createTestDatabase()
  const tls = await orders.network.tlsFor('orders')
  const settings = {
    DATABASE_URL: orders.url,
    EVENT_LOG_URL: events.url,
    VAULT_ADDRESS: orders.vaultAddress,
    ACQUIRER_TIMEOUT_MS: '6000',
    RESOLVE_FIRST_MS: '50',
    RESOLVE_MAX_MS: '200',
    ABSENCE_GRACE_MS: '3000',
  }
  program = serviceProgram(join(__dirname, '../dist/main.js'), { tls, settings })
})
afterAll(async () => {
  await program.remove()
  await orders.stop()
  await events.drop()
})

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** The environment of a process whose clock is that many minutes fast. */
function fastBy(minutes: number): Record<string, string> {
  const sign = minutes < 0 ? '' : '+'
  if (existsSync(FAKETIME)) return { LD_PRELOAD: FAKETIME, FAKETIME: `${sign}${minutes}m` }
  const shift = `const Right = Date, by = ${minutes * 60_000};
    globalThis.Date = class extends Right {
      constructor(...given) { given.length ? super(...given) : super(Right.now() + by) }
      static now() { return Right.now() + by } }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` }
}

type Replica = Pick<TestOrders, 'client'> & { port: number }

async function replica(minutes: number, settings: Record<string, string> = {}): Promise<Replica> {
  const port = await program.start([], { ...fastBy(minutes), ...settings }).serving
  return { client: await orders.network.clientOf(OrdersClient, `127.0.0.1:${port}`, 'gateway'), port }
}

async function sellerAt({ port }: Replica): Promise<number> {
  const admin = await orders.network.clientOf(OrdersAdminClient, `127.0.0.1:${port}`, 'cofrectl')
  const sellerId = 1 + randomBytes(4).readUInt32BE()
  const account = { merchantId: randomUUID(), networkTokens: false, retryWithCard: false }
  await callRpc(admin, admin.createEstablishment, { sellerId, affiliateId: undefined, ...account })
  return sellerId
}

/** Sells many times at once by both replicas, while the acquirer's answers get lost. */
async function sellAtOnce(replicas: readonly Replica[], sellerId: number, round: number): Promise<void> {
  const faults = Array.from({ length: AT_ONCE }, (_, index) => LOST[index % LOST.length] ?? 'none')
  orders.acquirer.fail('sale', ...faults)
  const selling = faults.map((_, index) => {
    const one = replicas[index % replicas.length]
    return one && withKey(`${round}-${index}`, () => authorize(one, order(sellerId)))
  })
  await pause(LATE_MS)
  orders.acquirer.release()
  await Promise.allSettled(selling)
}

test('charges whose answers are lost become what the acquirer says, with one clock fast and another slow', async () => {
  const wide = { MAX_CLOCK_OFFSET_SECONDS: '86400' }
  const replicas = [await replica(10, wide), await replica(-10, wide)]
  const [fast] = replicas
  if (!fast) throw new Error('no replica')
  const sellerId = await sellerAt(fast)
  for (let round = 0; round < ROUNDS; round++) await sellAtOnce(replicas, sellerId, round)

  const { rows } = await orders.pool.query('SELECT id FROM charges WHERE seller_id = $1', [sellerId])
  expect(rows).toHaveLength(AT_ONCE * ROUNDS)
  const wrong: Charge[] = []
  let farthest = 0
  const counted = new Map<ChargeStatus, number>()
  for (const { id } of rows) {
    const charge = await eventually(async () => {
      const current = await get(fast, { id, sellerId } as Charge)
      expect(current.status).not.toBe(ChargeStatus.PENDING)
      return current
    })
    const [theirs, ...more] = orders.acquirer.ofOrder(charge.payments[0]?.acquirer?.orderNumber)
    expect(more).toEqual([])
    if (charge.status !== (theirs ? ChargeStatus.AUTHORIZED : ChargeStatus.FAILED)) wrong.push(charge)
    farthest = Math.max(farthest, Math.abs(charge.createdAt - Date.now()))
    counted.set(charge.status, (counted.get(charge.status) ?? 0) + 1)
  }
  expect(wrong).toEqual([])
  expect(farthest).toBeLessThan(300_000)
  // On a busy machine some calls do not leave in time.
  for (const status of [ChargeStatus.AUTHORIZED, ChargeStatus.FAILED]) {
    expect(counted.get(status)).toBeGreaterThan(5)
  }
})

test.each([10, -10])(
  'a replica whose clock is %d minutes fast sends nothing, says so, and still answers',
  async (minutes) => {
    orders.acquirer.faults.clear()
    const off = await replica(minutes)
    const sellerId = await sellerAt(off)
    const made = orders.acquirer.payments.length
    await expect(withKey(`off ${minutes}`, () => authorize(off, order(sellerId)))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^The clock of this process is (599|60\d) s off\./),
    })
    expect(orders.acquirer.payments.length).toBe(made)
    const right = await replica(0)
    const charge = await withKey(`off ${minutes}`, () => authorize(right, order(sellerId)))
    expect(await get(off, charge)).toMatchObject({ status: ChargeStatus.AUTHORIZED })
  },
)
