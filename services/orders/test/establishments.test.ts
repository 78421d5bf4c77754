import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { OrdersAdminClient, OrdersClient } from '@cofre/proto/orders/v1/orders'
import { authorize, capture, order } from './support/orders'
import { newSeller, startOrders, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

const KEY = 'a1B2'.repeat(10)

const create = (
  sellerId: number,
  changes: { affiliateId?: number; merchantId?: string; merchantKey?: string },
) =>
  callRpc(orders.admin, orders.admin.createEstablishment, {
    sellerId,
    affiliateId: undefined,
    merchantId: randomUUID(),
    merchantKey: KEY,
    networkTokens: true,
    retryWithCard: false,
    ...changes,
  })

test('a store is charged through its own establishment, any other through the default one', async () => {
  const sellerId = await newSeller(orders)
  const store = await create(sellerId, { affiliateId: 12 })
  const listed = await callRpc(orders.admin, orders.admin.listEstablishments, { sellerId })
  expect(listed.establishments).toHaveLength(2)
  expect(listed.establishments[1]).toEqual(store)
  expect(store).toMatchObject({ affiliateId: 12, networkTokens: true })

  await authorize(orders, order(sellerId, { affiliateId: 12 }))
  expect(orders.acquirer.headers.at(-1)).toMatchObject({ merchantid: store.merchantId, merchantkey: KEY })
  await authorize(orders, order(sellerId, { affiliateId: 13 }))
  expect(orders.acquirer.headers.at(-1)?.merchantid).toBe(listed.establishments[0]?.merchantId)
})

test('a merchant key is changed by naming the account again; older charges are then captured with it', async () => {
  const sellerId = await newSeller(orders)
  const { id, merchantId } = await create(sellerId, { affiliateId: 12 })
  const charge = await authorize(orders, order(sellerId, { affiliateId: 12 }))
  const changed = 'c3D4'.repeat(10)
  expect(await create(sellerId, { affiliateId: 12, merchantId, merchantKey: changed })).toMatchObject({ id })

  await capture(orders, charge)
  expect(orders.acquirer.headers.at(-1)).toMatchObject({ merchantid: merchantId, merchantkey: changed })
  await authorize(orders, order(sellerId, { affiliateId: 12 }))
  expect(orders.acquirer.headers.at(-1)).toMatchObject({ merchantid: merchantId, merchantkey: changed })
})

test('a seller has one establishment for a store, and one default', async () => {
  const sellerId = await newSeller(orders)
  await expect(create(sellerId, {})).rejects.toMatchObject({ kind: 'conflict' })
  await create(sellerId, { affiliateId: 0 })
  await expect(create(sellerId, { affiliateId: 0 })).rejects.toMatchObject({ kind: 'conflict' })
})

test.each([{ merchantId: 'no guid' }, { merchantKey: 'short' }, { affiliateId: -1 }])(
  'an establishment with %p is refused',
  async (changes) => {
    await expect(create(1, changes)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  },
)

test('the merchant key does not rest in clear', async () => {
  const sellerId = await newSeller(orders)
  await create(sellerId, { affiliateId: 1 })
  const { rows } = await orders.pool.query('SELECT merchant_key FROM establishments WHERE seller_id = $1', [
    sellerId,
  ])
  for (const { merchant_key: sealed } of rows) expect(sealed.toString('latin1')).not.toContain(KEY)
})

test('each RPC has its callers', async () => {
  const call = async (name: string) => {
    const client = await orders.network.clientOf(OrdersClient, orders.address, name)
    const admin = await orders.network.clientOf(OrdersAdminClient, orders.address, name)
    const read = await callRpc(client, client.getCharge, { sellerId: 1, chargeId: 1 }).catch((error) => error)
    const listed = await callRpc(admin, admin.listEstablishments, { sellerId: 1 }).catch((error) => error)
    return [read.kind ?? read.code, listed.establishments ?? listed.code]
  }
  expect(await call('gateway')).toEqual(['not_found', 7])
  expect(await call('network-token')).toEqual([7, 7])
  expect(await call('cofrectl')).toEqual([7, []])
  expect(await call('notifier')).toEqual([7, 7])
})
