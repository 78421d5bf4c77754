import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import {
  AcceptedMethod,
  InvoiceStatus,
  PaymentMethod,
  type CreateInvoiceRequest,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import { CustomerFields } from '@cofre/proto/invoices/v1/customers'
import { ANA, createCustomer } from './support/customers'
import {
  create,
  DAY_MS,
  finalize,
  get,
  invoiceFor,
  newShop,
  uncollectible,
  voidInvoice,
  type Shop,
} from './support/invoices'
import { answerAsUsual, eventsSent, pay } from './support/payments'
import { createProduct } from './support/products'
import { withKey } from './support/repeated'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

const { OPEN, CLOSED, PAID } = InvoiceStatus

let invoices: TestInvoices
let shop: Shop
let draft: Invoice
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  answerAsUsual(invoices)
  shop = await newShop(invoices)
  draft = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

const requestOf = (changes: Partial<CreateInvoiceRequest>, updatedAt?: number) => ({
  sellerId: draft.sellerId,
  invoiceId: draft.id,
  invoice: invoiceFor(shop, changes),
  updatedAt,
})
const replaceAgain = (changes: Partial<CreateInvoiceRequest> = {}, updatedAt?: number) =>
  callRepeatable(invoices.client, invoices.client.replaceInvoice, requestOf(changes, updatedAt))
const replace = async (...asked: Parameters<typeof replaceAgain>) => (await replaceAgain(...asked)).response
const itemOf = (quantity: number, unitPriceInCents = 1_000, productId = shop.productId) => ({
  productId,
  quantity,
  unitPriceInCents,
})

test('a draft is replaced as a whole; its number, page and time of creation stay', async () => {
  const other = await createProduct(invoices, shop.sellerId, { name: 'Caneca azul' })
  const dueDate = Date.now() + 40 * DAY_MS
  const changes = {
    dueDate,
    paymentLimitDate: dueDate + DAY_MS,
    invoiceNumber: 'ANOTHER',
    finalize: true,
    acceptedMethods: [AcceptedMethod.fromPartial({ method: PaymentMethod.CREDIT_CARD })],
    items: [itemOf(1), itemOf(3, 2_000, other.id), itemOf(2)],
    discounts: [{ amountInCents: undefined, percentageBps: 1_000, daysBeforeDueDate: 5 }],
    fine: { amountInCents: undefined, percentageBps: 200, startsAfterDays: 1 },
    notificationUrl: 'https://shop.example.com/paid',
    partialPayments: true,
  }
  const replaced = await replace(changes)
  const { id, publicId, invoiceNumber, createdAt } = draft
  expect(replaced).toMatchObject({
    id,
    publicId,
    invoiceNumber,
    createdAt,
    dueDate,
    status: OPEN,
    paymentLimitDate: dueDate + DAY_MS,
    amount: 9_000,
    discountAmount: 900,
    payableAmount: 8_100,
    balanceAmount: 9_000,
    items: [
      { id: 1, description: draft.items[0]?.description },
      { id: 2, description: 'Caneca azul', totalInCents: 6_000 },
      { id: 3 },
    ],
    acceptedMethods: [{ method: PaymentMethod.CREDIT_CARD }],
    fine: changes.fine,
    notificationUrl: changes.notificationUrl,
    partialPayments: true,
    charge: undefined,
  })
  expect(replaced.updatedAt).toBeGreaterThan(draft.updatedAt)
  expect(await get(invoices, draft)).toEqual(replaced)

  // What a second one does not name is cleared, items too.
  const second = await replace({ items: [itemOf(1, 500)] })
  expect(second).toMatchObject({ amount: 500, fine: undefined, discounts: [], notificationUrl: '' })
  expect((await get(invoices, draft)).items).toHaveLength(1)
  expect(await eventsSent(invoices, draft)).toEqual(['invoice.created', 'invoice.updated', 'invoice.updated'])
  expect((await finalize(invoices, draft)).amount).toBe(500)
})

test('a replaced draft is due again on its new date', async () => {
  draft = await create(invoices, invoiceFor(shop, { dueDate: Date.now() - 10 * DAY_MS }))
  await invoices.pool.query(
    'UPDATE invoices SET late_on = current_date - 9, past_due_notified = true WHERE id = $1',
    [draft.id],
  )
  expect((await get(invoices, draft)).pastDue).toBe(true)
  expect(await replace()).toMatchObject({ pastDue: false })
  const { rows } = await invoices.pool.query('SELECT past_due_notified AS told FROM invoices WHERE id = $1', [
    draft.id,
  ])
  expect(rows).toEqual([{ told: false }])
})

test('customer and products are printed as they are at the change; what was deleted since stays as printed', async () => {
  const { customers, products } = invoices
  const { sellerId, customerId, productId } = shop
  await callRpc(customers, customers.replaceCustomer, {
    sellerId,
    customerId,
    fields: CustomerFields.fromPartial({ ...ANA, email: 'new@example.com' }),
  })
  expect((await replace({ customerId: 0 })).customer).toMatchObject({
    id: customerId,
    email: 'new@example.com',
  })
  const other = await createCustomer(invoices, sellerId, { name: 'Rui' })
  expect((await replace({ customerId: other.id })).customer).toMatchObject({ id: other.id, name: 'Rui' })

  const key = { sellerId, customerId: other.id }
  await callRpc(customers, customers.deleteCustomer, key)
  await callRpc(products, products.deleteProduct, { sellerId, productId })
  const kept = await replace({ customerId: 0 })
  expect([kept.customer?.name, kept.items[0]?.description]).toEqual(['Rui', draft.items[0]?.description])
})

test('what a creation would refuse is refused, and changes nothing', async () => {
  const refused: [Partial<CreateInvoiceRequest>, object][] = [
    [{ items: [] }, { reason: 'VALIDATION_FAILED' }],
    [{ items: [itemOf(0)] }, { reason: 'VALIDATION_FAILED' }],
    [{ customerId: 999_999 }, { extra: { errors: [{ pointer: '#/customerId' }] } }],
    [{ items: [itemOf(1, 1, 999_999)] }, { extra: { errors: [{ pointer: '#/items/0/productId' }] } }],
    [
      { discounts: [{ amountInCents: 9_980, percentageBps: undefined, daysBeforeDueDate: 0 }] },
      { extra: { errors: [{ pointer: '#/discounts/0/amountInCents' }] } },
    ],
  ]
  for (const [changes, problem] of refused) await expect(replace(changes)).rejects.toMatchObject(problem)
  expect(await get(invoices, draft)).toEqual(draft)
})

test('only a draft is replaced', async () => {
  const states = [finalize, voidInvoice, uncollectible]
  for (const leave of states) {
    draft = await create(invoices, invoiceFor(shop))
    await leave(invoices, draft)
    await expect(replace({ items: [itemOf(1)] })).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
    expect((await get(invoices, draft)).amount).toBe(9_980)
  }
})

test('another seller’s invoice is not found, nor one that does not exist', async () => {
  const { client } = invoices
  for (const other of [{ sellerId: newSeller() }, { invoiceId: 999_999_999 }]) {
    const asked = callRpc(client, client.replaceInvoice, { ...requestOf({}), ...other })
    await expect(asked).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  }
})

test('who has read an older draft does not overwrite a newer one', async () => {
  const first = await replace({ items: [itemOf(1)] }, draft.updatedAt)
  await expect(replace({ items: [itemOf(2)] }, draft.updatedAt)).rejects.toMatchObject({
    kind: 'conflict',
    reason: 'INVOICE_CHANGED',
  })
  expect((await replace({ items: [itemOf(2)] }, first.updatedAt)).amount).toBe(2_000)
})

test('of many changes of what was read once, one is made', async () => {
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((quantity) => replace({ items: [itemOf(quantity)] }, draft.updatedAt)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await eventsSent(invoices, draft)).toEqual(['invoice.created', 'invoice.updated'])
})

test('a change and a finalization at once: the charge asks for what the invoice says', async () => {
  for (let round = 0; round < 10; round += 1) {
    draft = await create(invoices, invoiceFor(shop))
    const [replaced, finalized] = await Promise.allSettled([
      replace({ items: [itemOf(1), itemOf(1)] }),
      finalize(invoices, draft),
    ])
    expect(finalized.status).toBe('fulfilled')
    const now = await get(invoices, draft)
    const amount = replaced.status === 'fulfilled' ? 2_000 : 9_980
    expect(now).toMatchObject({ status: CLOSED, amount, balanceAmount: amount, charge: { amount } })
    expect(now.items.reduce((sum, { totalInCents }) => sum + totalInCents, 0)).toBe(amount)
  }
})

test('while a card is charged for a draft, it stays as it is', async () => {
  let go = () => {}
  const until = new Promise<void>((resolve) => (go = resolve))
  const asked = new Promise<void>((resolve) => {
    invoices.behind.orders.hooks.before = () => (resolve(), until)
  })
  const paying = pay(invoices, draft)
  await asked
  await expect(replace({ items: [itemOf(1)] })).rejects.toMatchObject({ reason: 'PAYMENT_PENDING' })
  go()
  await paying
  expect(await get(invoices, draft)).toMatchObject({ status: PAID, paidAmount: 9_980 })
})

test('a repeat gets the first answer, even after the invoice changed', async () => {
  const first = await withKey('replace', () => replaceAgain({ items: [itemOf(1)] }))
  await replace({ items: [itemOf(2)] })
  await finalize(invoices, draft)
  const again = await withKey('replace', () => replaceAgain({ items: [itemOf(1)] }))
  expect(again).toEqual({ response: first.response, replayed: true })
  expect((await get(invoices, draft)).amount).toBe(2_000)
})

test('a change whose event cannot be saved is not made', async () => {
  await invoices.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
  )
  await invoices.pool.query(
    'CREATE TRIGGER refuse BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION refuse()',
  )
  await expect(withKey('cut', () => replaceAgain({ items: [itemOf(1)] }))).rejects.toThrow()
  await invoices.pool.query('DROP TRIGGER refuse ON outbox')
  expect(await get(invoices, draft)).toEqual(draft)
  expect(await withKey('cut', () => replaceAgain({ items: [itemOf(1)] }))).toMatchObject({ replayed: false })
})

test('the sums of what is not saved yet are those of the invoice that it becomes', async () => {
  const { client } = invoices
  const discounts = [{ amountInCents: undefined, percentageBps: 500, daysBeforeDueDate: 3 }]
  const asked = invoiceFor(shop, { discounts })
  const { sellerId, dueDate, items } = asked
  const sums = await callRpc(client, client.sumInvoice, { sellerId, dueDate, items, discounts })
  const { amount, discountAmount, discountUntil, payableAmount } = await create(invoices, asked)
  expect(sums).toEqual({ amount, discountAmount, discountUntil, payableAmount })
  expect([amount, discountAmount, discountUntil]).toEqual([9_980, 499, startOf(dayOf(discountUntil ?? 0))])
  const refused = callRpc(client, client.sumInvoice, { sellerId, dueDate, items: [itemOf(0)], discounts })
  await expect(refused).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})
