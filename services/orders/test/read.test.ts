import { callRpc } from '@cofre/platform/grpc/client'
import { ChargeStatus, ListChargesRequest, type Charge } from '@cofre/proto/orders/v1/orders'
import { ALSO_GOOD, authorize, capture, DECLINED, order, sealedCard, VISA } from './support/orders'
import { get, newSeller, startOrders, withKey, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '51' })
})
afterAll(() => orders.stop())

const list = (request: Partial<ListChargesRequest>) =>
  callRpc(orders.client, orders.client.listCharges, ListChargesRequest.fromPartial({ size: 10, ...request }))
const idsOf = (charges: Charge[]) => charges.map(({ id }) => id)
const replaceMetadata = ({ id: chargeId, sellerId }: Charge, metadata: Record<string, unknown>) =>
  callRpc(orders.client, orders.client.replaceMetadata, { sellerId, chargeId, metadata })

test('charges are listed newest first, in pages, by each of their filters', async () => {
  const sellerId = await newSeller(orders)
  const first = await authorize(orders, order(sellerId, { orderReference: 'A', externalReference: 1 }))
  const second = await authorize(orders, order(sellerId, { orderReference: 'B', cards: [DECLINED] }))
  const third = await authorize(orders, order(sellerId, { orderReference: 'A' }))
  await authorize(orders, order(await newSeller(orders), { orderReference: 'A' }))

  const all = await list({ sellerId })
  const end = { total: 3, totalIsLowerBound: false, more: false, place: expect.stringMatching(/^\d{16}$/) }
  expect(all).toEqual({ charges: [third, second, first], ...end })
  expect(await list({ sellerId, size: 2, page: 1 })).toMatchObject({ charges: [first], total: 3 })
  expect(await list({ sellerId, page: 9 })).toMatchObject({ charges: [], total: 3, more: false })
  const search = async (filter: Partial<ListChargesRequest>) =>
    idsOf((await list({ sellerId, ...filter })).charges)
  expect(await search({ orderReference: 'A' })).toEqual([third.id, first.id])
  expect(await search({ externalReference: 1 })).toEqual([first.id])
  expect(await search({ statuses: [ChargeStatus.DENIED] })).toEqual([second.id])
  const both = [ChargeStatus.DENIED, ChargeStatus.AUTHORIZED, ChargeStatus.DENIED]
  expect(await list({ sellerId, statuses: both })).toMatchObject({ charges: all.charges, total: 3 })
  expect(await list({ sellerId, after: third.id, size: 1 })).toMatchObject({ charges: [second], more: true })
  const next = (asked: Partial<ListChargesRequest>) =>
    callRpc(
      orders.client,
      orders.client.exportCharges,
      ListChargesRequest.fromPartial({ sellerId, size: 2, ...asked }),
    )
  expect(await next({})).toMatchObject({ charges: all.charges.slice(0, 2), more: true, total: 0 })
  expect(await next({ after: second.id })).toMatchObject({ charges: [first], more: false })
  expect((await next({ sellerId: sellerId + 1 })).charges).toEqual([])
  await expect(next({ size: 501 })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  expect(await search({ after: second.id, page: 7 })).toEqual([first.id])
  expect(await search({ after: third.id, statuses: both })).toEqual([second.id, first.id])
  expect(
    await search({ statuses: [ChargeStatus.DENIED, ChargeStatus.AUTHORIZED], orderReference: 'A' }),
  ).toEqual([third.id, first.id])
  expect(await search({ createdFrom: second.createdAt })).toEqual([third.id, second.id])
  expect(await search({ createdTo: second.createdAt })).toEqual([second.id, first.id])
})

test('charges are found by what a person has in hand: amount, card, receipt, and the name of a Pix', async () => {
  const sellerId = await newSeller(orders)
  const other = sealedCard(ALSO_GOOD)
  if (other.card) other.card.brand = 'MASTERCARD'
  const both = await authorize(orders, order(sellerId, { cards: [VISA, other], amount: 4_242 }))
  const one = await authorize(orders, order(sellerId))
  await authorize(orders, order(await newSeller(orders), { amount: 4_242 }))
  const search = async (filter: Partial<ListChargesRequest>) =>
    idsOf((await list({ sellerId, ...filter })).charges)
  const { nsu, tid, authorizationCode } = one.payments[0]?.acquirer ?? {}

  expect(await search({ amount: 4_242 })).toEqual([both.id])
  expect(await search({ lastFour: '4444' })).toEqual([both.id])
  expect(await search({ lastFour: '1111' })).toEqual([one.id, both.id])
  expect(await search({ lastFour: '1111', amount: 10_000 })).toEqual([one.id])
  expect(await search({ lastFour: '9999' })).toEqual([])
  expect(await search({ brand: 'MASTERCARD' })).toEqual([both.id])
  expect(await search({ brand: 'VISA' })).toEqual([one.id, both.id])
  expect(await search({ brand: 'VISA', amount: 10_000, statuses: [ChargeStatus.AUTHORIZED] })).toEqual([
    one.id,
  ])
  expect(await search({ brand: 'ELO' })).toEqual([])
  expect(await search({ nsu })).toContain(one.id)
  expect(await search({ tid })).toEqual([one.id])
  expect(await search({ authorizationCode })).toContain(one.id)
  expect(await search({ tid, statuses: [ChargeStatus.DENIED] })).toEqual([])
  for (const empty of [{ nsu: '' }, { tid: '' }, { authorizationCode: '' }, { endToEndId: '' }]) {
    expect(await search(empty)).toEqual([])
  }
  const { paymentId = '' } = one.payments[0]?.acquirer ?? {}
  expect(await search({ endToEndId: paymentId })).toEqual([])
})

test('a page after an unknown charge, or one of another seller, is refused', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  for (const after of [charge.id, 999_999_999]) {
    const asked = list({ sellerId: await newSeller(orders), after })
    await expect(asked).rejects.toMatchObject({
      extra: { errors: [{ pointer: '#/after', code: 'UNKNOWN' }] },
    })
  }
})

test('a filter with a status that no charge has is refused', async () => {
  for (const statuses of [[ChargeStatus.UNSPECIFIED], [ChargeStatus.DENIED, ChargeStatus.UNSPECIFIED]]) {
    await expect(list({ sellerId: 1, statuses })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      extra: { errors: [{ pointer: '#/statuses', code: 'ENUM' }] },
    })
  }
})

test.each([{ size: 0 }, { size: 101 }, { page: -1 }])('a page of %p is refused', async (page) => {
  await expect(list({ sellerId: 1, ...page })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})

test('metadata are replaced whole, and keep their order and types', async () => {
  const charge = await authorize(orders, order(await newSeller(orders), { metadata: { old: 'gone' } }))
  const metadata = { zebra: '1', apple: 2, mango: 1.5, empty: '' }
  const replaced = await replaceMetadata(charge, metadata)
  expect(Object.entries(replaced.metadata ?? {})).toEqual(Object.entries(metadata))
  const read = await get(orders, charge)
  expect(Object.entries(read.metadata ?? {})).toEqual(Object.entries(metadata))
  await capture(orders, charge)
  expect(Object.keys((await get(orders, charge)).metadata ?? {})).toEqual(Object.keys(metadata))
  expect((await replaceMetadata(charge, {})).metadata).toEqual({})
})

test('a replacement of metadata is repeated, raced and refused like any write', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  const first = await withKey('metadata', () => replaceMetadata(charge, { a: '1' }))
  expect(await withKey('metadata', () => replaceMetadata(charge, { a: '1' }))).toEqual(first)
  await Promise.all(Array.from({ length: 20 }, (_, index) => replaceMetadata(charge, { index })))
  expect((await get(orders, charge)).metadata).toHaveProperty('index')
  await expect(replaceMetadata({ ...charge, sellerId: charge.sellerId + 1 }, {})).rejects.toMatchObject({
    kind: 'not_found',
  })
})
