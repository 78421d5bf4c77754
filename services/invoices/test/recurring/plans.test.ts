import { callRpc } from '@cofre/platform/grpc/client'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import {
  BillingFrequency,
  ListRecurringInvoicesRequest,
  RecurringInvoiceStatus,
} from '@cofre/proto/invoices/v1/recurring'
import { statementsIn } from '@cofre/testing/statements'
import { nextCycleDueAt, takeDueCycles, waitingCycles } from '../../src/recurring/store/cycle-store'
import { newShop, type Shop } from '../support/invoices'
import { ranAs } from '../support/plans'
import { createRecurring, recurringFor } from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const EACH = COUNTED_MAX + 1_000
/** This many sellers have as many recurring invoices each: the rows of one seller are scattered. */
const SELLERS = 3
const BATCH = 50

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
  await createRecurring(invoices, recurringFor(shop))
  await invoices.pool.query(
    `INSERT INTO recurring_invoices OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM recurring_invoices t, generate_series(1, $1::int) n, generate_series(0, $2::int - 1) other,
       jsonb_populate_record(t, jsonb_build_object('id', t.id + n * $2 + other, 'seller_id', t.seller_id + other,
         'status', CASE n % 4 WHEN 0 THEN 'CANCELLED' ELSE 'ACTIVE' END,
         'next_cycle_day', CASE n % 4 WHEN 0 THEN NULL ELSE t.next_cycle_day END,
         'order_reference', 'PLAN-' || n % 100, 'created_at', t.created_at + n * interval '1 minute')) copy`,
    [EACH, SELLERS],
  )
  await invoices.pool.query('VACUUM ANALYZE recurring_invoices')
}, 300_000)
afterAll(() => invoices.stop())

async function plansOf(work: () => Promise<unknown>): Promise<{ plan: string; rows: number }[]> {
  const plans = []
  for (const statement of await statementsIn(work)) {
    if (/^(BEGIN|COMMIT|ROLLBACK)/.test(statement.text)) continue
    plans.push(await ranAs(invoices, statement))
  }
  expect(plans.length).toBeGreaterThan(0)
  return plans
}

test('billing, and the search for its next due moment, read no more rows than they take, from an index', async () => {
  const taking = { today: '2055-01-31', batch: BATCH, leaveOut: [1] }
  const works = [
    () => withTransaction(invoices.pool, (tx) => takeDueCycles(tx, taking)),
    () => nextCycleDueAt(invoices.pool, [1]),
  ]
  for (const work of works) {
    for (const { plan, rows } of await plansOf(work)) {
      expect(plan).not.toMatch(/Seq Scan on recurring_invoices/)
      expect([rows <= BATCH + 1, plan]).toEqual([true, plan])
    }
  }
})

test('waiting cycles are counted from an index, up to 10,000', async () => {
  for (const { plan, rows } of await plansOf(() => waitingCycles(invoices.pool, '2055-01-31'))) {
    expect(plan).not.toMatch(/Seq Scan on recurring_invoices/)
    expect([rows <= COUNTED_MAX, plan]).toEqual([true, plan])
  }
})

test.each<[string, Partial<ListRecurringInvoicesRequest>]>([
  ['nothing', {}],
  ['status', { statuses: [RecurringInvoiceStatus.ACTIVE] }],
  ['document', { document: '12345678909' }],
  ['order reference', { orderReference: 'PLAN-7' }],
  ['frequency', { frequency: BillingFrequency.MONTHLY }],
])(
  'a list of recurring invoices filtered by %s reads no more than it counts, from an index',
  async (_name, filter) => {
    const { recurring } = invoices
    const request = ListRecurringInvoicesRequest.fromPartial({ sellerId: shop.sellerId, size: 10, ...filter })
    const plans = await plansOf(() => callRpc(recurring, recurring.listRecurringInvoices, request))
    for (const { plan, rows } of plans) {
      expect(plan).not.toMatch(/Seq Scan on recurring_invoices/)
      expect([rows <= COUNTED_MAX + 1, plan]).toEqual([true, plan])
    }
  },
)
