import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { callRpc } from '@cofre/platform/grpc/client'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { ChargeStatus, OrdersAdminClient, OrdersClient, type Charge } from '@cofre/proto/orders/v1/orders'
import { authorize, capture, order } from './support/orders'
import { get, startOrders, withKey, type TestOrders } from './support/start-orders'

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
    ACQUIRER_TIMEOUT_MS: '10000',
    RESOLVE_FIRST_MS: '50',
    RESOLVE_MAX_MS: '200',
    ABSENCE_GRACE_MS: '100',
  }
  program = serviceProgram(join(__dirname, '../dist/main.js'), { tls, settings })
})
afterAll(async () => {
  await program.remove()
  await orders.stop()
  await events.drop()
})

async function clientOf(port: number): Promise<Pick<TestOrders, 'client'>> {
  return { client: await orders.network.clientOf(OrdersClient, `127.0.0.1:${port}`, 'gateway') }
}

async function sellerAt(port: number): Promise<number> {
  const admin = await orders.network.clientOf(OrdersAdminClient, `127.0.0.1:${port}`, 'cofrectl')
  const sellerId = 1 + randomBytes(4).readUInt32BE()
  const account = {
    merchantId: randomUUID(),
    networkTokens: false,
    retryWithCard: false,
  }
  await callRpc(admin, admin.createEstablishment, { sellerId, affiliateId: undefined, ...account })
  return sellerId
}

test('the migrate argument applies the migrations and ends', async () => {
  const empty = await createTestDatabase()
  expect(await program.start(['migrate'], { DATABASE_URL: empty.url }).exited).toBe(0)
  await empty.pool.query('SELECT FROM charges')
  await empty.drop()
})

test('a missing setting ends the process, which names it', async () => {
  const { exited, stderr } = program.start([], { VAULT_ADDRESS: '' })
  expect(await exited).toBe(1)
  expect(stderr()).toContain('VAULT_ADDRESS is invalid')
})

test('a process killed while the acquirer holds its call finds the charge again and sends its event', async () => {
  const first = program.start()
  const port = await first.serving
  const sellerId = await sellerAt(port)
  const dying = await clientOf(port)
  orders.acquirer.fail('sale', 'hang')
  const made = orders.acquirer.payments.length
  const lost = withKey('killed', () => authorize(dying, order(sellerId))).catch((error: unknown) => error)
  await eventually(() => expect(orders.acquirer.payments.length).toBe(made + 1))
  first.kill('SIGKILL')
  await first.exited
  expect(await lost).toBeInstanceOf(Error)
  orders.acquirer.release()

  const second = program.start()
  const living = await clientOf(await second.serving)
  const { rows } = await orders.pool.query('SELECT id FROM charges WHERE seller_id = $1', [sellerId])
  expect(rows).toHaveLength(1)
  const charge = { id: rows[0].id, sellerId } as Charge
  await eventually(async () => expect((await get(living, charge)).status).toBe(ChargeStatus.AUTHORIZED))
  const again = await eventually(() => withKey('killed', () => authorize(living, order(sellerId))))
  expect(again).toMatchObject({ id: charge.id, status: ChargeStatus.AUTHORIZED })
  expect(orders.acquirer.payments.length).toBe(made + 1)
  await eventually(async () => {
    const told = await events.pool.query('SELECT type FROM event_log WHERE key = $1', [String(charge.id)])
    expect(told.rows).toEqual([{ type: 'charge.authorized' }])
  })
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
})

test('a process asked to stop finishes its running work', async () => {
  const running = program.start()
  const port = await running.serving
  const sellerId = await sellerAt(port)
  const client = await clientOf(port)
  const charge = await authorize(client, order(sellerId))
  orders.acquirer.fail('capture', 'slow')
  const calls = orders.acquirer.calls.length
  const capturing = capture(client, charge)
  await eventually(() => expect(orders.acquirer.calls.length).toBe(calls + 1))
  running.kill('SIGTERM')
  expect(await capturing).toMatchObject({ status: ChargeStatus.CAPTURED })
  expect(await running.exited).toBe(0)
})
