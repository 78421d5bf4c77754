import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { InvoiceDay } from '@cofre/proto/invoices/v1/reports'
import { ChargeDay } from '@cofre/proto/orders/v1/reports'
import { VoucherDay } from '@cofre/proto/vouchers/v1/reports'
import { periodsOf } from '../../src/api/reports/periods'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  gateway.orders.reports.days.push(
    chargeDay('2026-01-31', 1, [{ code: 'INSUFFICIENT_FUNDS', count: 1 }]),
    chargeDay('2026-02-01', 2, [
      { code: 'EXPIRED_CARD', count: 5 },
      { code: 'INSUFFICIENT_FUNDS', count: 2 },
    ]),
    chargeDay('2026-02-28', 3, []),
  )
  gateway.invoices.reports.days.push(
    InvoiceDay.fromPartial({
      day: '2026-02-01',
      payment: { count: 2, amount: 10_000 },
      refund: { count: 1, amount: 1_000 },
      return: { count: 1, amount: 500 },
      dispute: { count: 1, amount: 2_000 },
      disputeWon: { count: 1, amount: 300 },
      fee: 100,
      methods: [
        {
          method: MovementMethod.BOLETO,
          payment: { count: 2, amount: 10_000 },
          refund: { count: 1, amount: 1_000 },
          return: { count: 1, amount: 500 },
        },
      ],
    }),
  )
  const paid = (brand: string, count: number, amount: number) => ({ brand, paid: { count, amount } })
  gateway.vouchers.reports.days.push(
    VoucherDay.fromPartial({
      day: '2026-02-01',
      brands: [{ ...paid('VR', 1, 2_000), canceled: { count: 1, amount: 2_000 } }, paid('ALELO', 1, 4_000)],
    }),
    VoucherDay.fromPartial({ day: '2026-02-02', brands: [paid('VR', 1, 3_000)] }),
  )
  Object.assign(gateway.invoices.reports.pastDue, { count: 3, amount: 45_000 })
})
afterAll(() => gateway.stop())

function chargeDay(day: string, count: number, declines: ChargeDay['declines']): ChargeDay {
  const sold = { count, amount: count * 1_000 }
  const methods = [
    { method: count > 1 ? 'VISA' : 'PIX', captured: sold, refunded: { count: 1, amount: 100 } },
  ]
  const disputes = { dispute: { count: 1, amount: 500 }, disputeWon: { count: 1, amount: 200 } }
  return ChargeDay.fromPartial({ day, approved: sold, declines, methods, ...disputes })
}

const report = (name: string, query: string) => gateway.call('GET', `/api/v2/reports/${name}?${query}`)

test('charges are added up by month, with the reasons of declines', async () => {
  const { status, body } = await report('charges', 'from=2026-01-31&to=2026-03-01&by=month')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    from: '2026-01-31',
    to: '2026-03-01',
    by: 'month',
    periods: [
      { from: '2026-01-31', to: '2026-01-31', approved: { count: 1, amount: 1_000 } },
      {
        from: '2026-02-01',
        to: '2026-02-28',
        approved: { count: 5, amount: 5_000 },
        denied: { count: 0, amount: 0 },
        declines: [
          { code: 'EXPIRED_CARD', count: 5 },
          { code: 'INSUFFICIENT_FUNDS', count: 2 },
        ],
      },
      { from: '2026-03-01', to: '2026-03-01', approved: { count: 0, amount: 0 }, declines: [] },
    ],
  })
})

test('captures and refunds are added up by card brand and Pix, with what disputes took and gave back', async () => {
  const { body } = await report('charges', 'from=2026-01-31&to=2026-02-28&by=month')
  const of = (method: string, count: number, refunds: number) => ({
    method,
    captured: { count, amount: count * 1_000 },
    refunded: { count: refunds, amount: refunds * 100 },
  })
  expect(body.periods).toMatchObject([
    { methods: [of('PIX', 1, 1)], disputesWithdrawn: { count: 1, amount: 500 } },
    {
      methods: [of('VISA', 5, 2)],
      disputesWithdrawn: { count: 2, amount: 1_000 },
      disputesReturned: { count: 2, amount: 400 },
    },
  ])
})

test('vouchers are added up, whole and by brand', async () => {
  const { status, body } = await report('vouchers', 'from=2026-02-01&to=2026-03-31&by=month')
  expect(status).toBe(200)
  const [paid, canceled] = [
    { count: 3, amount: 9_000 },
    { count: 1, amount: 2_000 },
  ]
  const none = { count: 0, amount: 0 }
  expect(body.periods).toEqual([
    {
      from: '2026-02-01',
      to: '2026-02-28',
      paid,
      canceled,
      brands: [
        { brand: 'ALELO', paid: { count: 1, amount: 4_000 }, canceled: none },
        { brand: 'VR', paid: { count: 2, amount: 5_000 }, canceled },
      ],
    },
    { from: '2026-03-01', to: '2026-03-31', paid: none, canceled: none, brands: [] },
  ])
})

test('the money of invoices is added up: net is what came and stayed', async () => {
  const { body } = await report('invoices', 'from=2026-02-01&to=2026-02-01')
  expect(body).toEqual({
    from: '2026-02-01',
    to: '2026-02-01',
    by: 'day',
    periods: [
      {
        from: '2026-02-01',
        to: '2026-02-01',
        payments: { count: 2, amountInCents: 10_000 },
        refunds: { count: 2, amountInCents: 1_500 },
        disputes: { count: 1, amountInCents: 1_700 },
        disputesWithdrawn: { count: 1, amountInCents: 2_000 },
        disputesReturned: { count: 1, amountInCents: 300 },
        methods: [
          {
            method: 'BOLETO',
            payments: { count: 2, amountInCents: 10_000 },
            refunds: { count: 2, amountInCents: 1_500 },
          },
        ],
        writeOffs: { count: 0, amountInCents: 0 },
        feeInCents: 100,
        netInCents: 6_700,
      },
    ],
    pastDue: { count: 3, amountInCents: 45_000, isLowerBound: false },
  })
})

test.each([
  ['from=2026-02-30&to=2026-03-01', '#/from', 'FORMAT'],
  ['from=2026-03-01', '#/to', 'REQUIRED'],
  ['from=2026-03-02&to=2026-03-01', '#/to', 'RANGE'],
  ['from=2026-01-01&to=2027-02-05', '#/to', 'RANGE'],
  ['from=2026-01-01&to=2026-01-02&by=year', '#/by', 'ENUM'],
])('%s is refused', async (query, pointer, code) => {
  for (const name of ['charges', 'invoices', 'vouchers']) {
    const { status, body } = await report(name, query)
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]])
  }
})

test.each([
  ['day', '2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
  ['week', '2026-02-25', '2026-03-09', ['2026-02-25..2026-03-01', '2026-03-02..2026-03-08', '2026-03-09']],
  ['week', '2026-03-01', '2026-03-02', ['2026-03-01', '2026-03-02']],
  ['month', '2028-02-10', '2028-03-01', ['2028-02-10..2028-02-29', '2028-03-01']],
  ['month', '2026-12-31', '2027-01-31', ['2026-12-31', '2027-01-01..2027-01-31']],
  ['day', '9999-12-30', '9999-12-31', ['9999-12-30', '9999-12-31']],
  ['month', '9999-11-30', '9999-12-31', ['9999-11-30', '9999-12-01..9999-12-31']],
  ['week', '9999-12-26', '9999-12-31', ['9999-12-26', '9999-12-27..9999-12-31']],
  ['month', '0001-01-31', '0001-02-01', ['0001-01-31', '0001-02-01']],
] as const)('by %s from %s to %s there are these periods', (by, from, to, expected) => {
  const periods = periodsOf({ from, to }, by)
  expect(periods.map((each) => (each.from === each.to ? each.from : `${each.from}..${each.to}`))).toEqual(
    expected,
  )
})
