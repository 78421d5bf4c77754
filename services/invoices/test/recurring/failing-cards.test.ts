import { callRpc } from '@cofre/platform/grpc/client'
import { ListRecurringInvoicesRequest, type RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import { statementsIn } from '@cofre/testing/statements'
import { ANA } from '../support/customers'
import { billedInvoice, chargeDue, declineWith, givenUp, stopCharging, type Billed } from '../support/dunning'
import { newShop, voidInvoice, type Shop } from '../support/invoices'
import { answerAsUsual, pay } from '../support/payments'
import { ranAs } from '../support/plans'
import {
  cancelRecurring,
  change,
  createRecurring,
  getRecurring,
  pauseRecurring,
  recurringFor,
  resumeRecurring,
} from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const FAILS = ['#/cardId CARD_FAILS']
const GIVEN_UP = ['#/cardId CARD_GIVEN_UP']

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const told = ({ warnings }: RecurringInvoice) => warnings.map(({ pointer, code }) => `${pointer} ${code}`)

const list = ({ sellerId }: Pick<Shop, 'sellerId'>, filter: Partial<ListRecurringInvoicesRequest> = {}) => {
  const { recurring } = invoices
  const request = ListRecurringInvoicesRequest.fromPartial({ sellerId, size: 10, ...filter })
  return callRpc(recurring, recurring.listRecurringInvoices, request)
}

const idsOf = async (shop: Shop, cardFails: boolean) =>
  (await list(shop, { cardFails })).recurringInvoices.map(({ id }) => id)

const planOf = ({ invoice }: Pick<Billed, 'invoice'>) => ({
  sellerId: invoice.sellerId,
  id: invoice.recurringInvoiceId ?? 0,
})

async function declined(decline: Parameters<typeof declineWith>[0] = {}): Promise<Billed> {
  const billed = await billedInvoice(invoices)
  invoices.behind.orders.hooks.outcome = declineWith(decline)
  await chargeDue(invoices, billed.dueAt)
  answerAsUsual(invoices)
  return billed
}

test('a plan says that its card fails once it was declined, where it is read and in the list, until the invoice is paid', async () => {
  const waiting = await billedInvoice(invoices)
  expect(told(await getRecurring(invoices, planOf(waiting)))).toEqual([])
  const billed = await declined()
  expect(told(await getRecurring(invoices, planOf(billed)))).toEqual(FAILS)
  expect((await list(billed.shop)).recurringInvoices.map(told)).toEqual([FAILS])
  await pay(invoices, billed.invoice)
  expect(told(await getRecurring(invoices, planOf(billed)))).toEqual([])
})

test('a card that is refused for good fails; one that nobody kept yet has not failed', async () => {
  const refused = await declined({ code: 'STOLEN_CARD', acquirerCode: '43', retryable: false })
  expect(told(await getRecurring(invoices, planOf(refused)))).toEqual(FAILS)
  const without = await billedInvoice(invoices, { card: null })
  expect(told(await getRecurring(invoices, planOf(without)))).toEqual([])
})

test('a plan says that its card was given up, until the invoice is voided or the plan is cancelled', async () => {
  const [voided, cancelled] = [await givenUp(invoices), await givenUp(invoices)]
  expect(told(await getRecurring(invoices, planOf(voided)))).toEqual(GIVEN_UP)
  await voidInvoice(invoices, voided.invoice)
  expect(told(await getRecurring(invoices, planOf(voided)))).toEqual([])
  expect(await idsOf(cancelled.shop, true)).toEqual([planOf(cancelled).id])
  expect(told(await cancelRecurring(invoices, planOf(cancelled)))).toEqual([])
  expect(await idsOf(cancelled.shop, true)).toEqual([])
})

test('while a plan is paused no card is charged, so that none fails', async () => {
  const billed = await declined()
  expect(told(await pauseRecurring(invoices, planOf(billed)))).toEqual([])
  expect(await idsOf(billed.shop, true)).toEqual([])
  expect(told(await resumeRecurring(invoices, planOf(billed)))).toEqual(FAILS)
})

test('a list finds the plans whose card fails or was given up, and the others', async () => {
  const { shop, invoice } = await givenUp(invoices)
  const other = await createRecurring(invoices, recurringFor(shop))
  expect(await idsOf(shop, true)).toEqual([invoice.recurringInvoiceId])
  expect(await idsOf(shop, false)).toEqual([other.id])
  expect(await idsOf(await newShop(invoices), true)).toEqual([])
})

test('a plan names its customer as they are called now, and what each cycle bills', async () => {
  const shop = await newShop(invoices)
  const { sellerId, customerId, productId } = shop
  const item = { productId, quantity: 1, unitPriceInCents: 1_000 }
  const made = await createRecurring(
    invoices,
    recurringFor(shop, {
      recurringItems: [item, { ...item, quantity: 3, unitPriceInCents: 250 }],
      extraItems: [{ item, cycle: 1 }],
    }),
  )
  const shown = { customerName: ANA.name, amount: 1_750 }
  expect(made).toMatchObject(shown)
  expect(await getRecurring(invoices, made)).toMatchObject(shown)
  expect((await list(shop)).recurringInvoices).toEqual([expect.objectContaining(shown)])
  const { customers } = invoices
  const fields = { ...ANA, name: 'Ana Souza Lima' }
  await callRpc(customers, customers.replaceCustomer, { sellerId, customerId, fields })
  const changed = await change(invoices, made, { recurringItems: { items: [item] } })
  expect(changed).toMatchObject({ customerName: fields.name, amount: 1_000 })
  await callRpc(customers, customers.deleteCustomer, { sellerId, customerId })
  expect((await list(shop)).recurringInvoices).toEqual([
    expect.objectContaining({ customerName: '', amount: 1_000 }),
  ])
})

test('of many plans and charges only those whose card fails are read, from their own index', async () => {
  const { shop, invoice } = await givenUp(invoices)
  const { sellerId, id: planId } = planOf({ invoice })
  const [all, failing, sellers] = [3_000, 200, 4]
  const numbers = `generate_series(1, ${all}) n, generate_series(0, ${sellers} - 1) other`
  const idOf = `n * ${sellers} + other`
  await invoices.pool.query(
    `INSERT INTO recurring_invoices OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM recurring_invoices t, ${numbers}, jsonb_populate_record(t, jsonb_build_object(
       'id', t.id + ${idOf}, 'seller_id', t.seller_id + other)) copy WHERE t.id = $1`,
    [planId],
  )
  await invoices.pool.query(
    `INSERT INTO invoices OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM invoices t, ${numbers}, jsonb_populate_record(t, jsonb_build_object(
       'id', t.id + ${idOf}, 'seller_id', t.seller_id + other, 'public_id', 'copy' || ${idOf},
       'invoice_number', 'copy' || n, 'recurring_invoice_id', t.recurring_invoice_id + ${idOf})) copy WHERE t.id = $1`,
    [invoice.id],
  )
  await invoices.pool.query(
    `INSERT INTO automatic_charges (invoice_id, seller_id, customer_id, status, attempts, created_at, updated_at)
     SELECT $1::bigint + ${idOf}, $2::bigint + other, $3,
       CASE WHEN n <= ${failing} THEN 'GIVEN_UP' ELSE 'PAID' END::automatic_charge_status, 1, now(), now() FROM ${numbers}`,
    [invoice.id, sellerId, shop.customerId],
  )
  await invoices.pool.query('VACUUM ANALYZE recurring_invoices, invoices, automatic_charges')
  const found = { total: failing + 1, totalIsLowerBound: false }
  expect(await list(shop, { cardFails: true })).toMatchObject(found)
  expect(await list(shop, { cardFails: false })).toMatchObject({ total: all - failing })
  const statements = await statementsIn(() => list(shop, { cardFails: true, page: 1 }), 'recurring_invoices')
  for (const statement of statements) {
    const { plan, rows } = await ranAs(invoices, statement)
    expect(plan).toMatch(/automatic_charges_failing/)
    expect([rows <= failing + 1, plan]).toEqual([true, plan])
  }
})

test('of a plan that has billed thousands of cycles only the open invoices are read', async () => {
  const { invoice, shop } = await givenUp(invoices)
  const cycles = 2_000
  await invoices.pool.query(
    `INSERT INTO invoices OVERRIDING SYSTEM VALUE
     SELECT copy.* FROM invoices t, generate_series(1, $2::int) n, jsonb_populate_record(t, jsonb_build_object(
       'id', t.id + 1000000 + n, 'public_id', 'cycle' || n, 'invoice_number', 'cycle' || n, 'cycle', n + 1,
       'status', 'CANCELLED', 'past_due_notified', false)) copy WHERE t.id = $1`,
    [invoice.id, cycles],
  )
  await invoices.pool.query('VACUUM ANALYZE recurring_invoices, invoices, automatic_charges')
  expect(told((await list(shop)).recurringInvoices[0] as RecurringInvoice)).toEqual(GIVEN_UP)
  for (const work of [() => list(shop), () => getRecurring(invoices, planOf({ invoice }))]) {
    for (const statement of await statementsIn(work, 'automatic_charges')) {
      const { plan, rows } = await ranAs(invoices, statement)
      expect(plan).toMatch(/invoices_open_of_plan/)
      expect([rows <= 10, plan]).toEqual([true, plan])
    }
  }
})
