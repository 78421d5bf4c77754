import { Client } from 'pg'
import { callRpc } from '@cofre/platform/grpc/client'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import { InvoiceStatus, ListInvoicesRequest } from '@cofre/proto/invoices/v1/invoices'
import { statementsIn } from '@cofre/testing/statements'
import { eventually } from '@cofre/testing/testing'
import { create, DAY_MS, invoiceFor, newShop } from './support/invoices'
import { ranAs } from './support/plans'
import { startInvoices, type TestInvoices } from './support/start-invoices'

const { OPEN, CLOSED, PAID, CANCELLED, UNCOLLECTIBLE } = InvoiceStatus
const INVOICES = COUNTED_MAX + 2_000
/** This many sellers have as many invoices each: the rows of one seller are scattered. */
const SELLERS = 5
/** Of eight, four are OPEN, two PAID, two CLOSED (one past due). Each is due and made a minute after the one before. */
const DUE = 2_500_000_000_000
const MINUTE_MS = 60_000
const DEEP = 999

let invoices: TestInvoices
let sellerId: number
beforeAll(async () => {
  invoices = await startInvoices()
  const shop = await newShop(invoices)
  sellerId = shop.sellerId
  await create(invoices, invoiceFor(shop, { dueDate: DUE }))
  const client = new Client({ connectionString: invoices.url })
  await client.connect()
  await client.query(
    `INSERT INTO invoices OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM invoices t, generate_series(1, $1::int) n, generate_series(0, $2::int - 1) other, jsonb_populate_record(t, jsonb_build_object(
       'id', t.id + n * $2 + other, 'public_id', other || 'copy' || n, 'invoice_number', 'copy' || n,
       'seller_id', t.seller_id + other,
       'status', CASE n % 4 WHEN 0 THEN 'PAID' WHEN 2 THEN 'CLOSED' ELSE 'OPEN' END,
       'past_due_notified', n % 8 = 2,
       'open_principal', CASE WHEN n % 4 = 0 THEN 0 ELSE t.amount END,
       'close_date', CASE WHEN n % 2 = 0 THEN t.due_date + n * interval '1 minute' END,
       'payment_date', CASE WHEN n % 4 = 0 THEN t.due_date + n * interval '1 minute' END,
       'due_date', t.due_date + n * interval '1 minute', 'created_at', t.created_at + n * interval '1 minute')) copy`,
    [INVOICES, SELLERS],
  )
  await client.query(
    `SELECT setval(pg_get_serial_sequence('invoices', 'id'), (SELECT max(id) FROM invoices))`,
  )
  // As autovacuum leaves grown tables. While a transaction still sees older rows, an index alone is not enough.
  await eventually(async () => {
    await client.query('VACUUM ANALYZE')
    const { rows } = await client.query(
      `SELECT relpages - relallvisible AS unsure FROM pg_class WHERE relname = 'invoices'`,
    )
    expect(rows[0].unsure).toBe(0)
  })
  await client.end()
})
afterAll(() => invoices.stop())

const list = (request: Partial<ListInvoicesRequest>) =>
  callRpc(
    invoices.client,
    invoices.client.listInvoices,
    ListInvoicesRequest.fromPartial({ sellerId, size: 10, ...request }),
  )

const statementsOf = (request: Partial<ListInvoicesRequest>) => statementsIn(() => list(request), 'invoices')

const far = DUE + INVOICES * MINUTE_MS
test.each<[string, Partial<ListInvoicesRequest>]>([
  ['nothing', {}],
  ['status', { statuses: [OPEN] }],
  ['statuses', { statuses: [OPEN, CLOSED, PAID, CANCELLED] }],
  ['document', { document: '12345678909' }],
  ['number', { invoiceNumber: 'copy77' }],
  ['past due', { pastDue: true }],
  ['not past due', { pastDue: false }],
  ['refunded', { refunded: true }],
  ['reaching nobody', { unreachable: true }],
  ['reaching somebody', { unreachable: false }],
  ['due date, of all', { dueDateFrom: 1, dueDateTo: far }],
  ['due date, of some', { dueDateFrom: DUE, dueDateTo: DUE + 500 * MINUTE_MS }],
  ['close date', { closeDateFrom: 1 }],
  ['payment date', { paymentDateTo: far }],
  ['payment date and status', { paymentDateTo: far, statuses: [PAID] }],
  ['due date and statuses, of some', { dueDateTo: DUE + 500 * MINUTE_MS, statuses: [OPEN, CLOSED] }],
  ['creation', { createdFrom: 1, createdTo: far }],
])('a list filtered by %s reads no more than it counts, from an index', async (_name, filter) => {
  const [newest] = (await list({})).invoices
  for (const place of [
    { page: 0 },
    { page: 999 },
    { after: (newest?.id ?? 0) - (SELLERS * COUNTED_MAX) / 2 },
  ]) {
    for (const statement of await statementsOf({ ...filter, ...place })) {
      const { plan, rows } = await ranAs(invoices, statement)
      expect(plan).not.toMatch(/Seq Scan on invoices/)
      // A deep page of a range may be sorted from all the seller's invoices.
      const most = place.page === DEEP ? INVOICES + 1 : COUNTED_MAX + 1
      expect([rows <= most, plan]).toEqual([true, plan])
    }
  }
})

const PAIRED: [string, Partial<ListInvoicesRequest>][] = [
  ['status', { statuses: [PAID] }],
  ['status of few', { statuses: [UNCOLLECTIBLE] }],
  ['past due', { pastDue: true }],
  ['not past due', { pastDue: false }],
  ['due date', { dueDateFrom: 1, dueDateTo: far }],
  ['close date', { closeDateFrom: 1, closeDateTo: far }],
  ['payment date', { paymentDateFrom: 1, paymentDateTo: far }],
  ['creation', { createdFrom: 1, createdTo: far }],
]
const pairs = PAIRED.flatMap(([one, filter], place) =>
  PAIRED.slice(place + 1).flatMap(([other, more]): [string, Partial<ListInvoicesRequest>][] =>
    Object.keys(filter).some((field) => field in more)
      ? []
      : [[`${one} and ${other}`, { ...filter, ...more }]],
  ),
)
/** Any read of invoices, except the entries of a page, which are found by their ids. */
const READS_INVOICES =
  /Seq Scan on invoices|(Index|Bitmap Index) Scan (Backward )?(using|on) invoices_(?!pkey)/
test.each(pairs)('a list filtered by %s reads its invoices from an index alone', async (_name, filter) => {
  for (const page of [0, DEEP]) {
    for (const statement of await statementsOf({ ...filter, page })) {
      const { plan } = await ranAs(invoices, statement)
      expect(plan).not.toMatch(READS_INVOICES)
    }
  }
})

test('the narrower of two ranges finds the entries, and every filter gives the same last page by number', async () => {
  const month = { dueDateFrom: DUE + 100 * MINUTE_MS, dueDateTo: DUE + 600 * MINUTE_MS }
  for (const wide of [{ createdFrom: 1 }, { createdFrom: 1, createdTo: 4_000_000_000_000 }]) {
    const found = await list({ ...month, ...wide })
    expect(found).toMatchObject({ total: 501, totalIsLowerBound: false, more: true })
    for (const statement of await statementsOf({ ...month, ...wide })) {
      expect((await ranAs(invoices, statement)).rows).toBeLessThanOrEqual(501)
    }
  }
  const idsOf = async (filter: Partial<ListInvoicesRequest>) => {
    const { invoices: found, total, totalIsLowerBound, more } = await list({ ...filter, page: DEEP })
    return { ids: found.map(({ id }) => id), total, totalIsLowerBound, more }
  }
  const last = await idsOf({})
  expect(last).toMatchObject({ total: COUNTED_MAX, totalIsLowerBound: true, more: true })
  expect(last.ids).toHaveLength(10)
  const all = { dueDateFrom: 1 }
  for (const way of [
    all,
    { createdFrom: 1 },
    { ...all, createdFrom: 1 },
    { ...all, dueDateTo: 4_000_000_000_000 },
  ])
    expect(await idsOf(way)).toEqual(last)
})

test('a file of a narrow range, or of its last entries, reads no more rows than it has', async () => {
  const narrow = { dueDateFrom: DUE + 500 * MINUTE_MS, dueDateTo: DUE + 800 * MINUTE_MS }
  const request = ListInvoicesRequest.fromPartial({ sellerId, ...narrow, size: 200 })
  const read = (after?: number) =>
    callRpc(invoices.client, invoices.client.exportInvoices, { ...request, after })
  const first = await read()
  const last = first.invoices.at(-1)?.id
  for (const after of [undefined, last]) {
    for (const statement of await statementsIn(() => read(after), 'invoices')) {
      expect((await ranAs(invoices, statement)).rows).toBeLessThanOrEqual(301)
    }
  }
  expect([first.more, (await read(last)).invoices.length]).toEqual([true, 101])
})

test('a list of more than are counted shows so, and is followed to its end by its entries', async () => {
  expect(await list({ dueDateFrom: 1 })).toMatchObject({ total: COUNTED_MAX, totalIsLowerBound: true })
  await expect(list({ dueDateFrom: 1, page: 1_000 })).rejects.toMatchObject({ reason: 'PAGE_TOO_DEEP' })
  const seen = new Set<number>()
  let page = await list({ dueDateFrom: 1, size: 100 })
  for (;;) {
    for (const { id } of page.invoices) seen.add(id)
    if (!page.more) break
    page = await list({ dueDateFrom: 1, size: 100, after: page.invoices.at(-1)?.id ?? 0 })
  }
  expect(seen.size).toBe(INVOICES + 1)
})

test('creating an invoice reads no table as a whole', async () => {
  const shop = await newShop(invoices, sellerId)
  const statements = await statementsIn(
    () => create(invoices, invoiceFor(shop, { dueDate: Date.now() + DAY_MS })),
    'invoices',
  )
  expect(statements.length).toBeGreaterThan(0)
  for (const { text, values = [] } of statements) {
    const client = new Client({ connectionString: invoices.url })
    await client.connect()
    await client.query('SET plan_cache_mode = force_generic_plan')
    await client.query(`PREPARE planned AS ${text}`)
    const { rows } = await client.query(`EXPLAIN EXECUTE planned (${values.map(() => 'NULL').join(', ')})`)
    await client.end()
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan on invoices/)
  }
})
