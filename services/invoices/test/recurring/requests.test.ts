import { callRpc } from '@cofre/platform/grpc/client'
import {
  BillingFrequency,
  CollectionMethod,
  OnPaymentFailure,
  RecurringInvoiceStatus,
  type ListRecurringInvoicesRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import { setClock } from '../support/dunning'
import { newShop, type Shop } from '../support/invoices'
import {
  billUntil,
  cancelRecurring,
  createRecurring,
  createRecurringAgain,
  cycleInvoices,
  daysOf,
  getRecurring,
  pauseRecurring,
  recurringFor,
  resumeRecurring,
} from '../support/recurring'
import { withKey } from '../support/repeated'
import { newSeller, startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  shop = await newShop(invoices)
})
afterEach(() => setClock(Date.now()))
afterAll(() => invoices.stop())

const made = (changes = {}) => createRecurring(invoices, recurringFor(shop, changes))

test('a recurring invoice is kept whole, with the names of its products and the days of its schedule', async () => {
  const { productId, customerId, sellerId } = shop
  const recurring = await made({
    orderReference: 'PLAN-1',
    nextCycleDueDate: startOf('2055-02-20'),
    onPaymentFailure: OnPaymentFailure.UNCOLLECTIBLE,
    cardPaysFineAndInterest: true,
    extraItems: [{ item: { productId, quantity: 1, unitPriceInCents: 500 }, cycle: 2 }],
  })
  expect(recurring).toMatchObject({
    sellerId,
    customerId,
    status: RecurringInvoiceStatus.ACTIVE,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CollectionMethod.SEND_INVOICE,
    orderReference: 'PLAN-1',
    billingCycleStartDate: startOf('2055-01-31'),
    startDateOverridden: false,
    nextCycleDate: startOf('2055-01-31'),
    nextCycleDueDate: startOf('2055-02-20'),
    cyclesBilled: 0,
    onPaymentFailure: OnPaymentFailure.UNCOLLECTIBLE,
    cardPaysFineAndInterest: true,
    items: [
      { id: 1, productId, quantity: 2, unitPriceInCents: 4_990, cycle: undefined },
      { id: 2, productId, quantity: 1, unitPriceInCents: 500, cycle: 2 },
    ],
  })
  expect(await getRecurring(invoices, recurring)).toEqual(recurring)
})

test('without a start it begins today; a start in the past means today too', async () => {
  const today = dayOf(Date.now())
  for (const billingCycleStartDate of [undefined, startOf('2026-01-31')]) {
    const recurring = await made({ billingCycleStartDate })
    expect(dayOf(recurring.nextCycleDate ?? 0)).toBe(today)
  }
})

test('a past start that is overridden holds: the missed cycles are billed, the oldest first', async () => {
  const start = Date.now() - 70 * 86_400_000
  const recurring = await made({ billingCycleStartDate: start, startDateOverridden: true })
  expect(recurring.startDateOverridden).toBe(true)
  expect((await getRecurring(invoices, recurring)).startDateOverridden).toBe(true)
  expect(recurring.billingCycleStartDate).toBe(startOf(dayOf(start)))
  await billUntil(invoices, Date.now())
  const billed = await cycleInvoices(invoices, recurring)
  expect(billed.map(({ cycle }) => cycle)).toEqual([1, 2, 3])
  expect(dayOf(billed[0]?.dueDate ?? 0)).toBe(dayOf(start + 5 * 86_400_000))
})

test('an extra item is billed only in its cycle; the given due date holds for the first cycle', async () => {
  const { productId } = shop
  const recurring = await made({
    nextCycleDueDate: startOf('2055-02-20'),
    extraItems: [{ item: { productId, quantity: 1, unitPriceInCents: 500 }, cycle: 2 }],
  })
  await billUntil(invoices, startOf('2055-03-31'))
  const billed = await cycleInvoices(invoices, recurring)
  expect(billed.map(({ amount }) => amount)).toEqual([9_980, 10_480, 9_980])
  expect(daysOf(billed).map(([, , due]) => due)).toEqual(['2055-02-20', '2055-03-05', '2055-04-05'])
})

test('an extra item waits during a pause: it belongs to a billed cycle', async () => {
  const { productId } = shop
  const item = { productId, quantity: 1, unitPriceInCents: 500 }
  const recurring = await made({ extraItems: [{ item, cycle: 2 }] })
  await billUntil(invoices, startOf('2055-01-31'))
  await pauseRecurring(invoices, recurring)
  setClock(startOf('2055-03-15'))
  await resumeRecurring(invoices, recurring)
  await billUntil(invoices, startOf('2055-04-30'))
  const billed = await cycleInvoices(invoices, recurring)
  expect(billed.map(({ amount }) => amount)).toEqual([9_980, 10_480, 9_980])
})

test('a cycle prints the names of its day; a deleted product keeps its last name', async () => {
  const recurring = await made()
  const { productId, sellerId, customerId } = shop
  const [item] = (await getRecurring(invoices, recurring)).items
  await invoices.pool.query('UPDATE customers SET name = $1 WHERE id = $2', ['Ana Lima', customerId])
  await invoices.pool.query('DELETE FROM products WHERE id = $1', [productId])
  await billUntil(invoices, startOf('2055-01-31'))
  const [billed] = await cycleInvoices(invoices, recurring)
  expect(billed?.customer).toMatchObject({ name: 'Ana Lima' })
  const { rows } = await invoices.pool.query('SELECT description FROM invoice_items WHERE invoice_id = $1', [
    billed?.id,
  ])
  expect(rows).toEqual([{ description: item?.description }])
  expect(sellerId).toBe(recurring.sellerId)
})

test('a repeated request makes nothing new, even when both come at once', async () => {
  const request = recurringFor(shop)
  const ask = () => withKey('recurring-1', () => createRecurringAgain(invoices, request))
  const [one, two] = await Promise.allSettled([ask(), ask()])
  const again = await ask()
  expect(again.replayed).toBe(true)
  for (const each of [one, two]) {
    if (each?.status === 'fulfilled') expect(each.value.response).toEqual(again.response)
    else expect(each?.reason).toMatchObject({ reason: 'IDEMPOTENCY_KEY_IN_USE' })
  }
  const { rows } = await invoices.pool.query(
    'SELECT count(*) AS n FROM recurring_invoices WHERE seller_id = $1',
    [shop.sellerId],
  )
  expect(rows).toEqual([{ n: 1 }])
})

test('pausing, resuming and cancelling leave the cycles of the pause, and those after the end, unbilled', async () => {
  const recurring = await made()
  await billUntil(invoices, startOf('2055-01-31'))
  expect(await pauseRecurring(invoices, recurring)).toMatchObject({
    status: RecurringInvoiceStatus.PAUSED,
    nextCycleDate: undefined,
    nextCycleDueDate: undefined,
  })
  await billUntil(invoices, startOf('2055-03-15'))
  expect(await cycleInvoices(invoices, recurring)).toHaveLength(1)
  await expect(pauseRecurring(invoices, recurring)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  const resumed = await resumeRecurring(invoices, recurring)
  expect(resumed).toMatchObject({
    status: RecurringInvoiceStatus.ACTIVE,
    nextCycleDate: startOf('2055-02-28'),
  })
  await billUntil(invoices, startOf('2055-03-31'))
  await cancelRecurring(invoices, recurring)
  await billUntil(invoices, startOf('2056-01-31'))
  expect(await cycleInvoices(invoices, recurring)).toHaveLength(3)
  expect(await cancelRecurring(invoices, recurring)).toMatchObject({
    status: RecurringInvoiceStatus.CANCELLED,
  })
  for (const change of [pauseRecurring, resumeRecurring]) {
    await expect(change(invoices, recurring)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  }
})

test('a recurring invoice ends with its customer, even while it is being made', async () => {
  const recurring = await made()
  const { customers } = invoices
  const { sellerId, customerId } = shop
  const remove = callRpc(customers, customers.deleteCustomer, { sellerId, customerId })
  const late = made().catch((error: { reason: string }) => error.reason)
  await remove
  const other = await late
  for (const each of [recurring, ...(typeof other === 'string' ? [] : [other])]) {
    expect(await getRecurring(invoices, each)).toMatchObject({ status: RecurringInvoiceStatus.CANCELLED })
  }
  if (typeof other === 'string') expect(other).toBe('REFERENCE_NOT_FOUND')
  await billUntil(invoices, startOf('2055-06-01'))
  expect(await cycleInvoices(invoices, recurring)).toEqual([])
})

test('a paused one ends with its customer too, and cannot be resumed', async () => {
  const recurring = await made()
  await pauseRecurring(invoices, recurring)
  const { customers } = invoices
  const { sellerId, customerId } = shop
  await callRpc(customers, customers.deleteCustomer, { sellerId, customerId })
  expect(await getRecurring(invoices, recurring)).toMatchObject({ status: RecurringInvoiceStatus.CANCELLED })
  await expect(resumeRecurring(invoices, recurring)).rejects.toMatchObject({
    reason: 'INVALID_INVOICE_STATE',
  })
})

test('no request finds a recurring invoice of another seller', async () => {
  const { id } = await made()
  const theirs = { sellerId: newSeller(), id }
  for (const ask of [getRecurring, pauseRecurring, resumeRecurring, cancelRecurring, cycleInvoices]) {
    await expect(ask(invoices, theirs)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  }
})

test('lists filter by state, document, reference, frequency and time, newest first', async () => {
  const weekly = await made({ frequency: BillingFrequency.WEEKLY, orderReference: 'W' })
  const monthly = await made({ orderReference: 'M' })
  await pauseRecurring(invoices, weekly)
  const list = async (changes: Partial<ListRecurringInvoicesRequest>) => {
    const { recurring } = invoices
    const all = { page: 0, size: 10, after: undefined, statuses: [], orderReference: undefined }
    const more = { document: undefined, frequency: undefined, createdFrom: undefined, createdTo: undefined }
    const request = { sellerId: shop.sellerId, ...all, ...more, ...changes }
    const answer = await callRpc(recurring, recurring.listRecurringInvoices, request)
    return answer.recurringInvoices.map(({ id }) => id)
  }
  expect(await list({})).toEqual([monthly.id, weekly.id])
  expect(await list({ statuses: [RecurringInvoiceStatus.PAUSED] })).toEqual([weekly.id])
  expect(await list({ frequency: BillingFrequency.MONTHLY })).toEqual([monthly.id])
  expect(await list({ orderReference: 'W' })).toEqual([weekly.id])
  expect(await list({ document: '12345678909' })).toEqual([monthly.id, weekly.id])
  expect(await list({ document: '52998224725' })).toEqual([])
  expect(await list({ createdFrom: monthly.createdAt })).toEqual([monthly.id])
  expect(await list({ after: monthly.id })).toEqual([weekly.id])
  const { ACTIVE, UNSPECIFIED } = RecurringInvoiceStatus
  const refused = (pointer: string) => ({
    kind: 'invalid_argument',
    extra: { errors: [{ pointer, code: 'ENUM' }] },
  })
  for (const statuses of [[UNSPECIFIED], [ACTIVE, UNSPECIFIED]])
    await expect(list({ statuses })).rejects.toMatchObject(refused('#/statuses'))
  const frequency = BillingFrequency.UNSPECIFIED
  await expect(list({ frequency })).rejects.toMatchObject(refused('#/billingFrequency'))
})

test('invoices are found by their order reference, over several recurring invoices', async () => {
  const [one, two] = [await made({ orderReference: 'R-9' }), await made({ orderReference: 'R-9' })]
  await made({ orderReference: 'other' })
  await billUntil(invoices, startOf('2055-01-31'))
  const { recurring } = invoices
  const request = {
    sellerId: shop.sellerId,
    recurringInvoiceId: undefined,
    page: 0,
    size: 10,
    after: undefined,
  }
  const found = await callRpc(recurring, recurring.listCycleInvoices, { ...request, orderReference: 'R-9' })
  expect(new Set(found.invoices.map(({ recurringInvoiceId }) => recurringInvoiceId))).toEqual(
    new Set([one.id, two.id]),
  )
  await expect(
    callRpc(recurring, recurring.listCycleInvoices, { ...request, orderReference: 'unknown' }),
  ).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})
