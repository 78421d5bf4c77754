import { dayOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { foldDayChanges } from '@cofre/platform/postgres/day-sums-store'
import { VoucherReportsClient } from '@cofre/proto/vouchers/v1/reports'
import { VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { passDeadlines, resolved } from './support/resolving'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { cancel, DECLINED, newToken, pay, paymentWith, type Brand } from './support/vouchers'

let vouchers: TestVouchers
let reports: VoucherReportsClient
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '05')
  reports = await vouchers.network.clientOf(VoucherReportsClient, vouchers.address, 'gateway')
})
afterAll(() => vouchers.stop())

const today = () => dayOf(Date.now())
const daysOf = async (sellerId: number, from = today(), to = today()) =>
  (await callRpc(reports, reports.sumDays, { sellerId, from, to })).days
const sell = async (sellerId: number, brand: Brand, number?: string) =>
  pay(vouchers, paymentWith(await newToken(vouchers, sellerId, brand, number)))

test('a day adds up what vouchers paid and what went back, by brand, folded or not', async () => {
  const sellerId = newSeller(vouchers)
  const { amount } = await sell(sellerId, 'ALELO')
  await sell(sellerId, 'ALELO', DECLINED.ALELO)
  await cancel(vouchers, await sell(sellerId, 'VR'))
  const one = { count: 1, amount }
  const brands = [
    { brand: 'ALELO', paid: one, canceled: { count: 0, amount: 0 } },
    { brand: 'VR', paid: one, canceled: one },
  ]
  expect(await daysOf(sellerId)).toEqual([{ day: today(), brands }])
  await foldDayChanges(vouchers.pool)
  expect(await daysOf(sellerId)).toEqual([{ day: today(), brands }])
  expect(await daysOf(newSeller(vouchers))).toEqual([])
})

test('a payment without an answer counts once its outcome is known', async () => {
  const sellerId = newSeller(vouchers)
  vouchers.issuer.fail('pay', 'answer_lost')
  const payment = await sell(sellerId, 'ALELO')
  expect(await daysOf(sellerId)).toEqual([])
  await passDeadlines(vouchers, payment)
  await resolved(vouchers, payment, ({ status }) => expect(status).toBe(VoucherPaymentStatus.PAID))
  const paid = { count: 1, amount: payment.amount }
  expect(await daysOf(sellerId)).toMatchObject([{ brands: [{ brand: 'ALELO', paid }] }])
})

test.each([
  ['2026-02-30', '2026-03-01'],
  ['2026-03-02', '2026-03-01'],
  ['2026-01-01', '2027-02-05'],
])('the days from %s to %s are refused', async (from, to) => {
  await expect(daysOf(1, from, to)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
