import { callRpc } from '@cofre/platform/grpc/client'
import {
  ListPaymentsRequest,
  VoucherPaymentStatus,
  type VoucherPayment,
} from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { cancel, DECLINED, newToken, pay, paymentWith } from './support/vouchers'

const { UNSPECIFIED, PENDING, PAID, DENIED, CANCELED } = VoucherPaymentStatus

let vouchers: TestVouchers
let sellerId: number
let tokens: string[]
/** One of each status, the oldest first. */
let all: [canceled: VoucherPayment, denied: VoucherPayment, pending: VoucherPayment, paid: VoucherPayment]
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '100')
  sellerId = newSeller(vouchers)
  const alelo = await newToken(vouchers, sellerId)
  const declined = await newToken(vouchers, sellerId, 'VR', DECLINED.VR)
  const vr = await newToken(vouchers, sellerId, 'VR')
  tokens = [alelo, declined, vr].map(({ token }) => token)
  const first = await pay(vouchers, paymentWith(alelo, { referenceId: 'A' }))
  const denied = await pay(vouchers, paymentWith(declined, { referenceId: 'B' }))
  vouchers.issuer.fail('pay', 'answer_lost')
  const pending = await pay(vouchers, paymentWith(vr, { referenceId: 'A' }))
  const paid = await pay(vouchers, paymentWith(alelo, { referenceId: '' }))
  all = [await cancel(vouchers, first), denied, pending, paid]
  await pay(vouchers, paymentWith(await newToken(vouchers, newSeller(vouchers)), { referenceId: 'A' }))
})
afterAll(() => vouchers.stop())

const list = (request: Partial<ListPaymentsRequest>) =>
  callRpc(
    vouchers.client,
    vouchers.client.listPayments,
    ListPaymentsRequest.fromPartial({ sellerId, size: 10, ...request }),
  )
/** Returns the places in `all` of the payments found. */
const search = async (filter: Partial<ListPaymentsRequest>) => {
  const { payments } = await list(filter)
  return payments.map(({ id }) => all.findIndex((payment) => payment.id === id))
}

test('payments are listed whole, the newest first, in pages', async () => {
  const newestFirst = [...all].reverse()
  const end = { total: 4, totalIsLowerBound: false, more: false, place: expect.stringMatching(/^\d{16}$/) }
  expect(await list({})).toEqual({ payments: newestFirst, ...end })
  expect(await list({ size: 3 })).toMatchObject({ payments: newestFirst.slice(0, 3), more: true })
  expect(await list({ size: 3, page: 1 })).toMatchObject({ payments: [all[0]], total: 4, more: false })
  expect(await list({ page: 9 })).toMatchObject({ payments: [], total: 4, more: false })
})

test('payments are found by their reference, brand and token, and by several of these', async () => {
  expect(await search({ referenceId: 'A' })).toEqual([2, 0])
  expect(await search({ referenceId: 'nobody' })).toEqual([])
  expect(await search({ cardBrand: 'VR' })).toEqual([2, 1])
  expect(await search({ token: tokens[0] ?? '' })).toEqual([3, 0])
  expect(await search({ cardBrand: 'VR', referenceId: 'A' })).toEqual([2])
})

test('payments are found by one status or several', async () => {
  expect(await search({ statuses: [CANCELED] })).toEqual([0])
  expect(await search({ statuses: [DENIED] })).toEqual([1])
  expect(await search({ statuses: [PENDING] })).toEqual([2])
  expect(await search({ statuses: [PAID] })).toEqual([3])
  expect(await search({ statuses: [PAID, CANCELED, PAID] })).toEqual([3, 0])
  expect(await search({ statuses: [DENIED, CANCELED], cardBrand: 'ALELO' })).toEqual([0])
  const some = await list({ statuses: [PENDING, DENIED, PAID], size: 2 })
  expect(some).toMatchObject({ payments: [all[3], all[2]], total: 3, more: true })
})

test('payments are found by their time of creation, both ends included', async () => {
  const [from, to] = [all[1].createdAt, all[2].createdAt]
  const between = all.map(({ createdAt }) => createdAt >= from && createdAt <= to)
  const expected = [3, 2, 1, 0].filter((place) => between[place])
  expect(await search({ createdFrom: from, createdTo: to })).toEqual(expected)
  expect(expected).toEqual(expect.arrayContaining([2, 1]))
  expect(await search({ createdFrom: Date.now() + 60_000 })).toEqual([])
})

test('the payments after a given one are listed within the filters, whatever the page', async () => {
  expect(await search({ after: all[2].id, page: 7 })).toEqual([1, 0])
  expect(await search({ after: all[3].id, cardBrand: 'ALELO' })).toEqual([0])
  expect(await search({ after: all[0].id })).toEqual([])
  expect(await list({ after: all[3].id, size: 2 })).toMatchObject({ payments: [all[2], all[1]], more: true })
})

test('a list after an unknown payment, or after one of another seller, is refused', async () => {
  for (const after of [all[0].id, 999_999_999]) {
    await expect(list({ sellerId: newSeller(vouchers), after })).rejects.toMatchObject({
      extra: { errors: [{ pointer: '#/after', code: 'UNKNOWN' }] },
    })
  }
})

test('another seller finds none of the payments', async () => {
  const other = newSeller(vouchers)
  expect(await list({ sellerId: other })).toMatchObject({ payments: [], total: 0 })
  expect(await list({ sellerId: other, token: tokens[0] ?? '' })).toMatchObject({ payments: [], total: 0 })
})

test('a filter with a status that no payment has is refused', async () => {
  for (const statuses of [[UNSPECIFIED], [PAID, UNSPECIFIED]]) {
    await expect(list({ statuses })).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      extra: { errors: [{ pointer: '#/statuses', code: 'ENUM' }] },
    })
  }
})

test.each([{ size: 0 }, { size: 101 }, { page: -1 }])('a page of %p is refused', async (page) => {
  await expect(list(page)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
