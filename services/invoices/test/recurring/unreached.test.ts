import { callRpc } from '@cofre/platform/grpc/client'
import { startOf } from '@cofre/platform/calendar-day'
import { ListInvoicesRequest, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  CollectionMethod,
  CreateBookletRequest,
  ListRecurringInvoicesRequest,
  type CreateRecurringInvoiceRequest,
  type RecurringInvoice,
} from '@cofre/proto/invoices/v1/recurring'
import { COUNTED_MAX } from '@cofre/platform/list-page'
import { statementsIn } from '@cofre/testing/statements'
import { ANA, createCustomer } from '../support/customers'
import { billedInvoice, chargeDue, declineWith, keep, stopCharging } from '../support/dunning'
import { create, get, invoiceFor, newShop, voidInvoice, type Shop } from '../support/invoices'
import { answerAsUsual, PAN, pay } from '../support/payments'
import { ranAs } from '../support/plans'
import {
  billUntil,
  cancelRecurring,
  change,
  createRecurring,
  cycleInvoices,
  getRecurring,
  recurringFor,
} from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CHARGE_AUTOMATICALLY, SEND_INVOICE } = CollectionMethod
const FIRST_CYCLE = startOf('2055-02-01')
const MAIL = ['#/customer/email NOBODY_TO_MAIL']
const CHARGE = ['#/customer/email NOBODY_TO_CHARGE']
const PLAN_MAIL = ['#/customerId NOBODY_TO_MAIL']
const PLAN_CHARGE = ['#/customerId NOBODY_TO_CHARGE']

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const told = ({ warnings }: Pick<Invoice, 'warnings'> | RecurringInvoice) =>
  warnings.map(({ pointer, code }) => `${pointer} ${code}`)

/** A seller whose customer has no e-mail address. */
async function silentShop(): Promise<Shop> {
  const shop = await newShop(invoices)
  const { id: customerId } = await createCustomer(invoices, shop.sellerId, { email: '' })
  return { ...shop, customerId }
}

const replaceCustomer = ({ sellerId, customerId }: Shop, email: string) =>
  callRpc(invoices.customers, invoices.customers.replaceCustomer, {
    sellerId,
    customerId,
    fields: { ...ANA, email },
  })

const planOf = (shop: Shop, changes: Partial<CreateRecurringInvoiceRequest> = {}) =>
  createRecurring(invoices, recurringFor(shop, changes))

async function billed(plan: RecurringInvoice): Promise<Invoice> {
  await billUntil(invoices, FIRST_CYCLE)
  const [invoice] = await cycleInvoices(invoices, plan)
  if (!invoice) throw new Error('the cycle made no invoice')
  return invoice
}

const list = (sellerId: number, filter: Partial<ListInvoicesRequest> = {}) =>
  callRpc(
    invoices.client,
    invoices.client.listInvoices,
    ListInvoicesRequest.fromPartial({ sellerId, size: 10, ...filter }),
  )

const plans = async ({ sellerId }: Shop) => {
  const { recurring } = invoices
  const request = ListRecurringInvoicesRequest.fromPartial({ sellerId, size: 10 })
  return (await callRpc(recurring, recurring.listRecurringInvoices, request)).recurringInvoices
}

const eventsOf = async (topic: string, key: number) => {
  const { rows } = await invoices.pool.query(
    'SELECT type, value FROM outbox WHERE topic = $1 AND key = $2 ORDER BY id',
    [topic, String(key)],
  )
  return rows.map(({ type, value }) => {
    const { invoice, recurringInvoice } = typeof value === 'string' ? JSON.parse(value) : value
    const { warnings = [] } = invoice ?? recurringInvoice
    return [type, (warnings as { code: string }[]).map(({ code }) => code)]
  })
}

test('a mailed plan without an address says so when it is made, where it is read, and on each of its invoices', async () => {
  const shop = await silentShop()
  const plan = await planOf(shop)
  expect(told(plan)).toEqual(PLAN_MAIL)
  expect(told(await getRecurring(invoices, plan))).toEqual(PLAN_MAIL)
  expect((await plans(shop)).map(told)).toEqual([PLAN_MAIL])
  const invoice = await billed(plan)
  expect(told(invoice)).toEqual(MAIL)
  expect(told(await get(invoices, invoice))).toEqual(MAIL)
  expect((await list(shop.sellerId)).invoices.map(told)).toEqual([MAIL])
  expect(await eventsOf('recurring-invoices.v1', plan.id)).toEqual([
    ['recurring_invoice.created', ['NOBODY_TO_MAIL']],
    ['recurring_invoice.cycle_billed', ['NOBODY_TO_MAIL']],
  ])
  expect(await eventsOf('invoices.v1', invoice.id)).toEqual([
    ['invoice.created', []],
    ['invoice.finalized', ['NOBODY_TO_MAIL']],
  ])
})

test('both warnings go when the customer gets an address', async () => {
  const shop = await silentShop()
  const plan = await planOf(shop)
  const invoice = await billed(plan)
  await replaceCustomer(shop, 'ana@example.com')
  expect(told(await getRecurring(invoices, plan))).toEqual([])
  expect(told(await get(invoices, invoice))).toEqual([])
  expect((await list(shop.sellerId, { unreachable: true })).invoices).toEqual([])
})

test('a plan that charges needs a card or an address; a card that is kept later reaches plan and invoice', async () => {
  const shop = await silentShop()
  const plan = await planOf(shop, { collectionMethod: CHARGE_AUTOMATICALLY })
  expect(told(plan)).toEqual(PLAN_CHARGE)
  const invoice = await billed(plan)
  expect(told(invoice)).toEqual(CHARGE)
  await keep(invoices, shop, invoices.behind.vault.store(shop.sellerId, PAN).id)
  expect(told(await getRecurring(invoices, plan))).toEqual([])
  expect(told(await get(invoices, invoice))).toEqual([])
})

test.each<[string, Partial<CreateRecurringInvoiceRequest>, boolean]>([
  ['has an address, and is mailed', { collectionMethod: SEND_INVOICE }, true],
  ['has an address, and is charged without a card', { collectionMethod: CHARGE_AUTOMATICALLY }, true],
  ['has a card alone, which the plan charges', { collectionMethod: CHARGE_AUTOMATICALLY }, false],
])('a customer who %s is reached', async (_name, changes, hasAddress) => {
  const shop = hasAddress ? await newShop(invoices) : await silentShop()
  const cardId = hasAddress ? undefined : invoices.behind.vault.store(shop.sellerId, PAN).id
  const plan = await planOf(shop, { ...changes, cardId })
  expect([told(plan), told(await billed(plan))]).toEqual([[], []])
})

test('a plan that gets a card, or is cancelled, answers without a warning', async () => {
  const shop = await silentShop()
  const [charged, cancelled] = [
    await planOf(shop, { collectionMethod: CHARGE_AUTOMATICALLY }),
    await planOf(shop),
  ]
  const { id: cardId } = invoices.behind.vault.store(shop.sellerId, PAN)
  expect(told(await change(invoices, charged, { cardId }))).toEqual([])
  expect((await eventsOf('recurring-invoices.v1', charged.id)).at(-1)).toEqual([
    'recurring_invoice.updated',
    [],
  ])
  expect(told(await cancelRecurring(invoices, cancelled))).toEqual([])
})

test('a refused card reaches nobody, until another is kept', async () => {
  const shop = await silentShop()
  const { invoice, dueAt } = await billedInvoice(invoices, { shop })
  expect(told(await get(invoices, invoice))).toEqual([])
  invoices.behind.orders.hooks.outcome = declineWith({
    code: 'STOLEN_CARD',
    acquirerCode: '43',
    retryable: false,
  })
  await chargeDue(invoices, dueAt)
  expect(told(await get(invoices, invoice))).toEqual(CHARGE)
  await keep(invoices, shop, invoices.behind.vault.store(shop.sellerId, PAN).id)
  expect(told(await get(invoices, invoice))).toEqual([])
})

test('what is paid or voided, and what a seller makes by hand, carries no such warning', async () => {
  const shop = await silentShop()
  const plan = await planOf(shop)
  const invoice = await billed(plan)
  expect(told(await create(invoices, invoiceFor(shop, { finalize: true })))).toEqual([])
  const other = await billed(await planOf(shop))
  await voidInvoice(invoices, other)
  await pay(invoices, invoice)
  expect(told(await get(invoices, invoice))).toEqual([])
  expect(told(await get(invoices, other))).toEqual([])
  await cancelRecurring(invoices, plan)
  expect(told(await getRecurring(invoices, plan))).toEqual([])
})

test('of a booklet the slips are printed: only one that charges cards needs a customer who is reached', async () => {
  const shop = await silentShop()
  const made = (collectionMethod: CollectionMethod) => {
    const { sellerId, customerId, productId } = shop
    const request = CreateBookletRequest.fromPartial({
      ...recurringFor(shop),
      sellerId,
      customerId,
      collectionMethod,
      charges: 2,
      recurringItem: { productId, quantity: 1, unitPriceInCents: 4_990 },
      terms: { acceptedMethods: [] },
    })
    return callRpc(invoices.recurring, invoices.recurring.createBooklet, request)
  }
  const printed = await made(SEND_INVOICE)
  const charged = await made(CHARGE_AUTOMATICALLY)
  expect([told(printed), told(charged)]).toEqual([[], PLAN_CHARGE])
  expect((await cycleInvoices(invoices, printed)).map(told)).toEqual([[], []])
  const unpaid = await cycleInvoices(invoices, charged)
  expect(unpaid.map(told)).toEqual([CHARGE, CHARGE])
  for (const invoice of unpaid) await voidInvoice(invoices, invoice)
  expect(told(await getRecurring(invoices, charged))).toEqual([])
})

test('a list finds those that reach nobody, and the others', async () => {
  const shop = await silentShop()
  const silent = await billed(await planOf(shop))
  const reached = await create(invoices, invoiceFor(shop, { finalize: true }))
  const idsOf = async (unreachable: boolean) =>
    (await list(shop.sellerId, { unreachable })).invoices.map(({ id }) => id)
  expect([await idsOf(true), await idsOf(false)]).toEqual([[silent.id], [reached.id]])
})

test('of very many that reach nobody no more are read than are counted, from their own index', async () => {
  const { sellerId, id } = await billed(await planOf(await silentShop()))
  await invoices.pool.query(
    `INSERT INTO invoices OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM invoices t, generate_series(1, $2::int) n, jsonb_populate_record(t, jsonb_build_object(
       'id', t.id + n, 'public_id', 'copy' || n, 'invoice_number', 'copy' || n, 'cycle', n + 1)) copy WHERE t.id = $1`,
    [id, COUNTED_MAX + 1_000],
  )
  await invoices.pool.query('VACUUM ANALYZE invoices')
  const unreachable = { unreachable: true }
  expect(await list(sellerId, unreachable)).toMatchObject({ total: COUNTED_MAX, totalIsLowerBound: true })
  const statements = await statementsIn(() => list(sellerId, { ...unreachable, page: 1 }), 'invoices')
  for (const statement of statements) {
    const { plan, rows } = await ranAs(invoices, statement)
    expect(plan).toMatch(/invoices_unmailed/)
    expect([rows <= COUNTED_MAX + 1, plan]).toEqual([true, plan])
  }
})
