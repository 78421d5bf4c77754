import { callRpc } from '@cofre/platform/grpc/client'
import { startOf } from '@cofre/platform/calendar-day'
import {
  BillingFrequency,
  CollectionMethod,
  type CreateRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { moveClock } from '../../src/clock/billing-clock'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import {
  billAll,
  billUntil,
  cancelRecurring,
  change,
  changeAgain,
  createRecurring,
  cycleInvoices,
  daysOf,
  getRecurring,
  keepAt,
  pauseRecurring,
  recurringFor,
  resumeRecurring,
  storeCard,
} from '../support/recurring'
import { setClock } from '../support/dunning'
import { newShop, type Shop } from '../support/invoices'
import { withKey } from '../support/repeated'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CHARGE_AUTOMATICALLY, SEND_INVOICE } = CollectionMethod

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  shop = await newShop(invoices)
})
afterEach(async () => {
  moveClock(0)
  // No cycle of one test is due in the next.
  await invoices.pool.query(`UPDATE recurring_invoices SET status = 'CANCELLED', next_cycle_day = NULL`)
})
afterAll(() => invoices.stop())

const made = (changes: Partial<CreateRecurringInvoiceRequest> = {}) =>
  createRecurring(invoices, recurringFor(shop, changes))
const day = (text: string) => startOf(text)
const item = (unitPriceInCents: number) => ({ productId: shop.productId, quantity: 1, unitPriceInCents })

async function eventsOf(id: number): Promise<{ sequence: number; changedFields?: string[] }[]> {
  const { rows } = await invoices.pool.query(
    `SELECT value FROM outbox WHERE key = $1 AND type = 'recurring_invoice.updated' ORDER BY id`,
    [String(id)],
  )
  return rows.map(({ value }) => (typeof value === 'string' ? JSON.parse(value) : value))
}

test('card, method, day and items change at once, and one event names them', async () => {
  const plan = await made()
  const cardId = storeCard(invoices, shop)
  const changed = await change(invoices, plan, {
    cardId,
    collectionMethod: CHARGE_AUTOMATICALLY,
    nextCycleDate: day('2055-02-10'),
    recurringItems: { items: [item(700)] },
    extraItems: { items: [{ item: item(50), cycle: 2 }] },
  })
  expect(changed).toMatchObject({
    cardId,
    nextCardId: cardId,
    collectionMethod: CHARGE_AUTOMATICALLY,
    nextCycleDate: day('2055-02-10'),
    nextCycleDueDate: day('2055-02-15'),
    items: [
      { id: 1, unitPriceInCents: 700, cycle: undefined },
      { id: 2, unitPriceInCents: 50, cycle: 2 },
    ],
  })
  expect(await getRecurring(invoices, plan)).toEqual(changed)
  const changedFields = ['cardId', 'collectionMethod', 'nextCycleDate', 'recurringItems', 'extraItems']
  expect(await eventsOf(plan.id)).toMatchObject([{ sequence: 2, changedFields }])
})

test('what changes nothing sends no event, and is no news', async () => {
  const plan = await made()
  const same = { nextCycleDate: plan.nextCycleDate ?? 0, collectionMethod: SEND_INVOICE, unnameCard: true }
  expect(
    await change(invoices, plan, { ...same, recurringItems: { items: [{ ...item(4_990), quantity: 2 }] } }),
  ).toEqual(plan)
  expect(await eventsOf(plan.id)).toEqual([])
})

test('an invoice that was made stays as it is; the next one has the new items', async () => {
  const plan = await made()
  await billUntil(invoices, day('2055-01-31'))
  const before = await cycleInvoices(invoices, plan)
  setClock(day('2055-02-01'))
  await change(invoices, plan, { recurringItems: { items: [item(12_345)] } })
  expect(await cycleInvoices(invoices, plan)).toEqual(before)
  await billUntil(invoices, day('2055-02-28'))
  expect((await cycleInvoices(invoices, plan)).map(({ amount }) => amount)).toEqual([9_980, 12_345])
})

test.each([
  ['earlier', '2055-02-10', ['2055-02-10', '2055-03-10', '2055-04-10']],
  ['later', '2055-03-15', ['2055-03-15', '2055-04-15', '2055-05-15']],
])(
  'a day that becomes %s in the middle of a cycle leaves out no cycle, and bills none twice',
  async (_what, to, days) => {
    const plan = await made()
    await billUntil(invoices, day('2055-01-31'))
    setClock(day('2055-02-05'))
    await change(invoices, plan, { nextCycleDate: day(to) })
    await billUntil(invoices, day(days[2] ?? ''))
    const billed = daysOf(await cycleInvoices(invoices, plan))
    expect(billed.map(([cycle, date]) => [cycle, date])).toEqual(
      ['2055-01-31', ...days].map((each, at) => [at + 1, each]),
    )
  },
)

test('a paused plan goes on by its new day', async () => {
  const plan = await made()
  await billUntil(invoices, day('2055-01-31'))
  setClock(day('2055-02-05'))
  await pauseRecurring(invoices, plan)
  expect((await change(invoices, plan, { nextCycleDate: day('2055-02-20') })).nextCycleDate).toBeUndefined()
  setClock(day('2055-02-21'))
  expect((await resumeRecurring(invoices, plan)).nextCycleDate).toBe(day('2055-03-20'))
})

test('the day is refused today, and from the cycle after the next on, and while a cycle is due', async () => {
  const plan = await made()
  await billUntil(invoices, day('2055-01-31'))
  setClock(day('2055-02-05'))
  const refused = (code: string) => ({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [expect.objectContaining({ pointer: '#/nextCycleDate', code })] },
  })
  await expect(change(invoices, plan, { nextCycleDate: day('2055-02-05') })).rejects.toMatchObject(
    refused('MIN'),
  )
  await expect(change(invoices, plan, { nextCycleDate: day('2055-03-31') })).rejects.toMatchObject(
    refused('MAX'),
  )
  setClock(day('2055-02-28'))
  await expect(change(invoices, plan, { nextCycleDate: day('2055-03-05') })).rejects.toMatchObject({
    reason: 'INVALID_INVOICE_STATE',
  })
})

test('a card is refused that is unknown, of another customer, or of a plan that charges none', async () => {
  const other = await newShop(invoices, shop.sellerId)
  const [own, kept, named] = [
    storeCard(invoices, shop),
    storeCard(invoices, other),
    storeCard(invoices, other),
  ]
  await keepAt(invoices, other, kept, Date.now())
  await createRecurring(
    invoices,
    recurringFor(other, { cardId: named, collectionMethod: CHARGE_AUTOMATICALLY }),
  )
  const plan = await made({ cardId: own, collectionMethod: CHARGE_AUTOMATICALLY })
  for (const cardId of [999_999, kept, named]) {
    const refused = {
      reason: 'REFERENCE_NOT_FOUND',
      extra: { errors: [expect.objectContaining({ pointer: '#/cardId' })] },
    }
    await expect(change(invoices, plan, { cardId })).rejects.toMatchObject(refused)
    await expect(made({ cardId, collectionMethod: CHARGE_AUTOMATICALLY })).rejects.toMatchObject(refused)
  }
  await expect(change(invoices, plan, { cardId: own, collectionMethod: SEND_INVOICE })).rejects.toMatchObject(
    { extra: { errors: [expect.objectContaining({ pointer: '#/cardId', code: 'OTHER_METHOD' })] } },
  )
  expect(await getRecurring(invoices, plan)).toMatchObject({
    cardId: own,
    collectionMethod: CHARGE_AUTOMATICALLY,
  })
})

test('items are refused whose product is unknown, or whose cycle is billed', async () => {
  const plan = await made()
  await billUntil(invoices, day('2055-01-31'))
  setClock(day('2055-02-05'))
  await expect(
    change(invoices, plan, { recurringItems: { items: [{ ...item(1), productId: 999_999 }] } }),
  ).rejects.toMatchObject({
    extra: { errors: [expect.objectContaining({ pointer: '#/recurringItems/0/productId' })] },
  })
  await expect(
    change(invoices, plan, { extraItems: { items: [{ item: item(1), cycle: 1 }] } }),
  ).rejects.toMatchObject({
    extra: { errors: [expect.objectContaining({ pointer: '#/extraItems/0/cycle', code: 'MIN' })] },
  })
})

test('a plan that is over is refused, and another seller’s is not found', async () => {
  const plan = await made()
  await cancelRecurring(invoices, plan)
  await expect(change(invoices, plan, { unnameCard: true })).rejects.toMatchObject({
    reason: 'INVALID_INVOICE_STATE',
    extra: { members: { currentStatus: 'CANCELLED' } },
  })
  const stranger = { ...plan, sellerId: (await newShop(invoices)).sellerId }
  await expect(change(invoices, stranger, { unnameCard: true })).rejects.toMatchObject({ kind: 'not_found' })
})

test('of a booklet that charges a card only the card changes', async () => {
  const [first, second] = [storeCard(invoices, shop), storeCard(invoices, shop)]
  const { recurring } = invoices
  const booklet = await callRpc(recurring, recurring.createBooklet, {
    ...recurringFor(shop),
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CHARGE_AUTOMATICALLY,
    cardId: first,
    charges: 3,
    recurringItem: item(1_000),
    terms: undefined,
  })
  expect(await change(invoices, booklet, { cardId: second })).toMatchObject({
    cardId: second,
    nextCardId: second,
  })
  await expect(change(invoices, booklet, { recurringItems: { items: [item(1)] } })).rejects.toMatchObject({
    reason: 'INVALID_INVOICE_STATE',
  })
})

test('a repeat with its key changes nothing more', async () => {
  const plan = await made()
  const ask = () =>
    withKey('change-1', () => changeAgain(invoices, plan, { recurringItems: { items: [item(1)] } }))
  const first = await ask()
  await change(invoices, plan, { recurringItems: { items: [item(2)] } })
  expect(await ask()).toEqual({ ...first, replayed: true })
  expect((await getRecurring(invoices, plan)).items).toMatchObject([{ unitPriceInCents: 2 }])
  expect(await eventsOf(plan.id)).toHaveLength(2)
})

test('a change of the day that races with the biller is refused, or moves the cycle that follows: each cycle is billed once', async () => {
  const plans = []
  for (let count = 0; count < 12; count += 1) plans.push(await made())
  const at = day('2055-01-31')
  setClock(at)
  const job = billCycles(invoices.deps)
  const asked = Promise.allSettled(
    plans.map((plan) => change(invoices, plan, { nextCycleDate: day('2055-02-20') })),
  )
  await billAll(job, at)
  const outcomes = await asked
  await billUntil(invoices, day('2055-02-28'))
  for (const [place, plan] of plans.entries()) {
    const billed = daysOf(await cycleInvoices(invoices, plan)).map(([cycle, date]) => [cycle, date])
    const isMoved = outcomes[place]?.status === 'fulfilled'
    expect(billed).toEqual([
      [1, '2055-01-31'],
      [2, isMoved ? '2055-02-20' : '2055-02-28'],
    ])
  }
})

test('a change whose event cannot be kept changes nothing', async () => {
  const plan = await made()
  await invoices.pool.query(
    `ALTER TABLE outbox ADD CONSTRAINT no_updates CHECK (type <> 'recurring_invoice.updated') NOT VALID`,
  )
  const asked = { recurringItems: { items: [item(1)] }, nextCycleDate: day('2055-02-10') }
  try {
    await expect(change(invoices, plan, asked)).rejects.toThrow()
  } finally {
    await invoices.pool.query('ALTER TABLE outbox DROP CONSTRAINT no_updates')
  }
  expect(await getRecurring(invoices, plan)).toEqual(plan)
  expect(await change(invoices, plan, asked)).toMatchObject({ nextCycleDate: day('2055-02-10') })
})
