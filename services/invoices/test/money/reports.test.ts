import { dayOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { foldDayChanges } from '@cofre/platform/postgres/day-sums-store'
import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { InvoiceReportsClient } from '@cofre/proto/invoices/v1/reports'
import { startMoney, type TestMoney } from '../support/money'

let on: TestMoney
let reports: InvoiceReportsClient
beforeAll(async () => {
  on = await startMoney()
  reports = await on.boletos.network.clientOf(InvoiceReportsClient, on.boletos.address, 'gateway')
})
afterAll(() => on.stop())

const NONE = { count: 0, amount: 0 }
const daysOf = async (sellerId: number, from: string, to: string) =>
  (await callRpc(reports, reports.sumDays, { sellerId, from, to })).days

test('the days add up what came and what went back, on the day when the money moved', async () => {
  const { invoice } = await on.issued()
  const { sellerId } = invoice
  const paidAt = Date.parse('2026-02-10T23:30:00-03:00')
  await on.recordPayment(invoice, { amount: 9_980, paidAt })
  await on.recordReturn(invoice, 1_000)
  const [yesterday, today] = [dayOf(Date.now() - 86_400_000), dayOf(Date.now())]
  const sums = { payment: NONE, refund: NONE, return: NONE }
  const external = { ...sums, method: MovementMethod.EXTERNAL }
  const expected = [
    {
      day: '2026-02-10',
      payment: { count: 1, amount: 9_980 },
      return: NONE,
      fee: 0,
      methods: [{ ...external, payment: { count: 1, amount: 9_980 } }],
    },
    {
      payment: NONE,
      return: { count: 1, amount: 1_000 },
      dispute: NONE,
      writeOff: NONE,
      methods: [{ ...external, return: { count: 1, amount: 1_000 } }],
    },
  ]
  expect(await daysOf(sellerId, '2026-02-10', '2026-02-10')).toMatchObject([expected[0]])
  expect(await daysOf(sellerId, yesterday, today)).toMatchObject([expected[1]])
  await foldDayChanges(on.boletos.pool)
  expect(await daysOf(sellerId, '2026-02-10', '2026-02-10')).toMatchObject([expected[0]])
  expect(await daysOf(sellerId + 1, '2026-02-10', '2026-02-10')).toEqual([])
  const { rows } = await on.boletos.pool.query('SELECT FROM day_changes WHERE seller_id = $1', [sellerId])
  expect(rows).toEqual([])
})

test('what is past due is counted, with what it is owed', async () => {
  const { invoice } = await on.issued()
  const { sellerId, id } = invoice
  const pastDue = () => callRpc(reports, reports.sumPastDue, { sellerId })
  expect(await pastDue()).toEqual({ ...NONE, isLowerBound: false })
  await on.boletos.pool.query('UPDATE invoices SET past_due_notified = true WHERE id = $1', [id])
  expect(await pastDue()).toEqual({ count: 1, amount: 9_980, isLowerBound: false })
})

test.each([
  ['2026-02-30', '2026-03-01'],
  ['2026-03-02', '2026-03-01'],
  ['2026-01-01', '2027-02-05'],
])('the days from %s to %s are refused', async (from, to) => {
  await expect(daysOf(1, from, to)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
