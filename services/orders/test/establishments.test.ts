import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { NO_ACCOUNT } from '@cofre/testing/stand-ins/accounts'
import { eventually } from '@cofre/testing/testing'
import { OrdersAdminClient, OrdersClient } from '@cofre/proto/orders/v1/orders'
import { ACQUIRERS } from '../src/acquirer/acquirer-name'
import { authorize, capture, order, refund } from './support/orders'
import { resolvePending } from './support/resolve-pending'
import { newSeller, startOrders, withKey, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

const create = (
  sellerId: number,
  changes: {
    affiliateId?: number
    merchantId?: string
    retryWithCard?: boolean
    acquirer?: string
    establishmentNumber?: string
  },
) =>
  callRpc(orders.admin, orders.admin.createEstablishment, {
    sellerId,
    affiliateId: undefined,
    merchantId: randomUUID(),
    networkTokens: true,
    retryWithCard: false,
    ...changes,
  })

test('a store is charged through its own establishment, no store and store 0 through the default one', async () => {
  const sellerId = await newSeller(orders)
  const store = await create(sellerId, { affiliateId: 12 })
  const listed = await callRpc(orders.admin, orders.admin.listEstablishments, { sellerId, after: undefined })
  expect(listed.establishments).toHaveLength(2)
  expect(listed.establishments[1]).toEqual(store)
  expect(store).toMatchObject({ affiliateId: 12, networkTokens: true })

  await authorize(orders, order(sellerId, { affiliateId: 12 }))
  expect(orders.acquirer.headers.at(-1)).toMatchObject({ merchantid: store.merchantId })
  for (const changes of [{}, { affiliateId: 0 }]) {
    await authorize(orders, order(sellerId, changes))
    expect(orders.acquirer.headers.at(-1)?.merchantid).toBe(listed.establishments[0]?.merchantId)
  }
})

test.each([false, true])(
  'a store unknown for the seller is refused, and nothing is stored (direct: %s)',
  async (direct) => {
    const sellerId = await newSeller(orders)
    const elsewhere = await newSeller(orders)
    await create(elsewhere, { affiliateId: 13 })
    const calls = orders.acquirer.calls.length
    const key = randomUUID()
    const charge = (affiliateId: number) =>
      withKey(key, () => authorize(orders, order(sellerId, { affiliateId, capture: direct })))
    await expect(charge(13)).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason: 'REFERENCE_NOT_FOUND',
      extra: { errors: [{ pointer: '#/affiliateId' }] },
    })
    expect(orders.acquirer.calls).toHaveLength(calls)
    const { rows } = await orders.pool.query('SELECT FROM charges WHERE seller_id = $1', [sellerId])
    expect(rows).toEqual([])

    // The key is free: the same request is served once the store is registered.
    const { merchantId } = await create(sellerId, { affiliateId: 13 })
    await charge(13)
    expect(orders.acquirer.headers.at(-1)).toMatchObject({ merchantid: merchantId })
  },
)

test('an establishment that is created again takes the new settings', async () => {
  const sellerId = await newSeller(orders)
  const { id, merchantId } = await create(sellerId, { affiliateId: 12 })
  const again = await create(sellerId, { affiliateId: 12, merchantId, retryWithCard: true })
  expect(again).toMatchObject({ id, merchantId, retryWithCard: true })
  const establishmentNumber = String(sellerId)
  await create(sellerId, { affiliateId: 12, merchantId, establishmentNumber })
  // A new key must not end the asking for disputes.
  expect(await create(sellerId, { affiliateId: 12, merchantId })).toMatchObject({ establishmentNumber })
})

test('a long list of establishments is read to its end, page by page', async () => {
  const sellerId = await newSeller(orders)
  await orders.pool.query(
    `INSERT INTO establishments (seller_id, affiliate_id, acquirer, merchant_id, network_tokens, retry_with_card)
     SELECT $1, n, 'cielo', gen_random_uuid(), true, false FROM generate_series(1, 1001) n`,
    [sellerId],
  )
  const read = (after?: number) => callRpc(orders.admin, orders.admin.listEstablishments, { sellerId, after })
  const first = await read()
  expect([first.establishments.length, first.more]).toEqual([1_000, true])
  const second = await read(first.establishments.at(-1)?.id)
  const stores = second.establishments.map(({ affiliateId }) => affiliateId)
  expect([stores, second.more]).toEqual([[1_000, 1_001], false])
})

test('captures, voids and queries use the account of the charge', async () => {
  const sellerId = await newSeller(orders)
  const { merchantId } = await create(sellerId, { affiliateId: 12 })
  const charge = await authorize(orders, order(sellerId, { affiliateId: 12 }))
  await capture(orders, charge)
  expect(orders.acquirer.headers.at(-1)).toMatchObject({ merchantid: merchantId })
  orders.acquirer.fail('void', 'answer_lost')
  const asked = orders.acquirer.headers.length
  await refund(orders, await capture(orders, await authorize(orders, order(sellerId, { affiliateId: 12 }))))
  await eventually(async () => {
    await resolvePending(orders.deps)
    expect(orders.acquirer.calls.at(-1)).toContain('GET')
  })
  const used = new Set(orders.acquirer.headers.slice(asked).map(({ merchantid }) => merchantid))
  expect([...used]).toEqual([merchantId])
})

test('an establishment without a key in the vault charges nothing', async () => {
  const sellerId = await newSeller(orders)
  await create(sellerId, { affiliateId: 12, merchantId: NO_ACCOUNT })
  const calls = orders.acquirer.calls.length
  await expect(authorize(orders, order(sellerId, { affiliateId: 12 }))).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'PAYMENT_METHOD_NOT_ACCEPTED',
  })
  expect(orders.acquirer.calls).toHaveLength(calls)
})

test('a seller has one establishment for a store, and one default', async () => {
  const sellerId = await newSeller(orders)
  await expect(create(sellerId, {})).rejects.toMatchObject({ kind: 'conflict' })
  await create(sellerId, { affiliateId: 0 })
  await expect(create(sellerId, { affiliateId: 0 })).rejects.toMatchObject({ kind: 'conflict' })
})

test('the database knows the acquirers that the service knows; an establishment without one belongs to the first', async () => {
  const { rows } = await orders.pool.query('SELECT enum_range(null::acquirer)::text[] AS names')
  expect(rows).toEqual([{ names: [...ACQUIRERS] }])
  const sellerId = await newSeller(orders)
  await create(sellerId, { affiliateId: 12, acquirer: 'cielo' })
  const listed = await callRpc(orders.admin, orders.admin.listEstablishments, { sellerId })
  expect(listed.establishments.map(({ acquirer }) => acquirer)).toEqual(['cielo', 'cielo'])
})

test.each([{ merchantId: 'no guid' }, { affiliateId: -1 }, { acquirer: 'unknown' }])(
  'an establishment with %p is refused',
  async (changes) => {
    await expect(create(1, changes)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  },
)

test('each RPC admits only its own callers', async () => {
  const call = async (name: string) => {
    const client = await orders.network.clientOf(OrdersClient, orders.address, name)
    const admin = await orders.network.clientOf(OrdersAdminClient, orders.address, name)
    const read = await callRpc(client, client.getCharge, { sellerId: 1, chargeId: 1 }).catch((error) => error)
    const listed = await callRpc(admin, admin.listEstablishments, { sellerId: 1, after: undefined }).catch(
      (error) => error,
    )
    return [read.kind ?? read.code, listed.establishments ?? listed.code]
  }
  expect(await call('gateway')).toEqual(['not_found', 7])
  expect(await call('network-token')).toEqual([7, 7])
  expect(await call('cofrectl')).toEqual([7, []])
  expect(await call('notifier')).toEqual([7, 7])
})
