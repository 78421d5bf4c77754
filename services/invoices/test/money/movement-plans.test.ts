import { callRpc } from '@cofre/platform/grpc/client'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { ListMovementsRequest, MoneyClient, MovementKind } from '@cofre/proto/invoices/v1/money'
import { eventually } from '@cofre/testing/testing'
import { statementsIn } from '@cofre/testing/statements'
import { ranAs } from '../support/plans'
import { newSeller, startInvoices, type TestInvoices } from '../support/start-invoices'

const PAYMENTS = COUNTED_MAX + 2_000
const sellerId = newSeller()

let invoices: TestInvoices
let money: MoneyClient
beforeAll(async () => {
  invoices = await startInvoices()
  money = await invoices.network.clientOf(MoneyClient, invoices.address, 'gateway')
  await invoices.pool.query(
    `INSERT INTO movements (seller_id, kind, method, amount, principal, fine, interest, fee, at, created_at)
     SELECT $1, 'PAYMENT', 'CREDIT_CARD', 100, 100, 0, 0, 0, now(), now() + n * interval '1 second'
     FROM generate_series(1, $2::int) n`,
    [sellerId, PAYMENTS],
  )
  // As autovacuum leaves a grown table. While a transaction still sees older rows, an index alone is not enough.
  await eventually(async () => {
    await invoices.pool.query('VACUUM ANALYZE movements')
    const { rows } = await invoices.pool.query(
      `SELECT relpages - relallvisible AS unsure FROM pg_class WHERE relname = 'movements'`,
    )
    expect(rows[0].unsure).toBe(0)
  })
})
afterAll(() => invoices.stop())

const list = (filter: Partial<ListMovementsRequest>) =>
  callRpc(money, money.listMovements, ListMovementsRequest.fromPartial({ sellerId, size: 10, ...filter }))

test.each<[string, Partial<ListMovementsRequest>]>([
  ['kind', { kind: MovementKind.REFUND }],
  ['method', { method: MovementMethod.EXTERNAL }],
])(
  'where all movements are card payments, a list by another %s reads none of them',
  async (_name, filter) => {
    for (const statement of await statementsIn(() => list(filter))) {
      const { plan, rows } = await ranAs(invoices, statement)
      expect([rows, plan]).toEqual([0, plan])
    }
    expect(await list(filter)).toMatchObject({ movements: [], total: 0, totalIsLowerBound: false })
  },
)

test.each<[string, Partial<ListMovementsRequest>]>([
  ['kind', { kind: MovementKind.PAYMENT }],
  ['method', { method: MovementMethod.CREDIT_CARD }],
])('a list by a common %s reads no more movements than it counts, from an index', async (_name, filter) => {
  for (const statement of await statementsIn(() => list(filter))) {
    const { plan, rows } = await ranAs(invoices, statement)
    expect(plan).not.toMatch(/Seq Scan on movements/)
    expect([rows <= COUNTED_MAX + 1, plan]).toEqual([true, plan])
  }
  expect(await list(filter)).toMatchObject({ total: COUNTED_MAX, totalIsLowerBound: true, more: true })
})
