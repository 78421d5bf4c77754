import { callRpc } from '@cofre/platform/grpc/client'
import { InvoiceStatus, ListInvoicesRequest, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { ProductMethod, ProductType, type ProductFields } from '@cofre/proto/invoices/v1/products'
import { whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { get } from '../support/invoices'
import { keep } from '../support/dunning'
import { eventsSent, PAN, pay } from '../support/payments'
import { ANA, buy, buyOnce, countOf, newProduct, open, salesOf } from './buying'
import { createProduct } from '../support/products'
import { newSeller, startInvoices, type TestInvoices } from '../support/start-invoices'

const DAY_MS = 86_400_000

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(() => invoices.stop())

test('a purchase is a finalized invoice of one product on its terms, and nobody is mailed', async () => {
  const product = await newProduct(invoices)
  const bought = await buy(invoices, product)
  expect(bought).toMatchObject({
    status: InvoiceStatus.CLOSED,
    amount: 4_990,
    paymentLinkProductId: product.id,
    customer: ANA,
    items: [{ productId: product.id, quantity: 1, unitPriceInCents: 4_990, description: 'Caneca' }],
    paymentLimitDate: bought.dueDate,
  })
  expect(bought.acceptedMethods).toEqual([
    expect.objectContaining({
      method: PaymentMethod.CREDIT_CARD,
      cardSettings: { maxInstallments: 3, feePassThrough: true, threeDSecure: false },
    }),
  ])
  expect(bought.dueDate - bought.createdAt).toBeGreaterThan(2 * DAY_MS)
  expect(await eventsSent(invoices, bought)).toEqual(['invoice.created', 'invoice.finalized'])
  const { rows } = await invoices.pool.query('SELECT FROM emails WHERE invoice_id = $1', [bought.id])
  expect(rows).toEqual([])
})

test('whoever buys in the name of a customer neither sees nor removes the card that the customer keeps', async () => {
  const product = await newProduct(invoices)
  const { publicId, sellerId, customer } = await buy(invoices, product)
  const kept = () =>
    invoices.pool.query('SELECT kept_card_id FROM customers WHERE id = $1', [customer?.id ?? 0])
  const { id: cardId } = invoices.behind.vault.store(sellerId, PAN)
  await keep(invoices, { sellerId, customerId: customer?.id ?? 0, productId: product.id }, cardId)
  const { pages } = invoices
  expect(await callRpc(pages, pages.getPaymentPage, { publicId })).toMatchObject({ hasKeptCard: false })
  await expect(callRpc(pages, pages.removeKeptCards, { publicId })).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect((await kept()).rows).toEqual([{ kept_card_id: cardId }])
})

test('its receipt names the shop', async () => {
  const bought = await buy(invoices, await newProduct(invoices))
  await pay(invoices, bought)
  const { rows } = await invoices.pool.query('SELECT kind, seller_name FROM emails WHERE invoice_id = $1', [
    bought.id,
  ])
  expect(rows).toEqual([{ kind: 'RECEIPT', seller_name: 'Padaria Sol' }])
})

test('its payment carries the statement’s text and the store, is told as a sale, and counts as one', async () => {
  const product = await newProduct(invoices)
  expect(await salesOf(invoices, product)).toEqual({ count: 0, amount: 0, more: false })
  const bought = await buy(invoices, product)
  await pay(invoices, bought)
  expect(invoices.behind.orders.asked.authorize.at(-1)).toMatchObject({
    softDescriptor: 'LOJA',
    affiliateId: 7,
  })
  const events = await eventsSent(invoices, bought)
  expect(events.slice(-2)).toEqual(['invoice.paid', 'payment_link.paid'])
  const { rows } = await invoices.pool.query<{ sequence: number }>(
    `SELECT (value::json->>'sequence')::int AS sequence FROM outbox WHERE key = $1 ORDER BY id`,
    [String(bought.id)],
  )
  expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  expect(await salesOf(invoices, product)).toEqual({ count: 1, amount: 4_990, more: false })
})

test('invoices are listed by the product of their link', async () => {
  const { client } = invoices
  const [product, bought] = await newProduct(invoices).then(
    async (each) => [each, await buy(invoices, each)] as const,
  )
  const list = async (paymentLinkProductId: number) => {
    const request = { sellerId: product.sellerId, size: 10, paymentLinkProductId }
    const page = await callRpc(client, client.listInvoices, ListInvoicesRequest.fromPartial(request))
    return page.invoices.map(({ id }) => id)
  }
  expect(await list(product.id)).toEqual([bought.id])
  expect(await list(product.id + 1)).toEqual([])
})

test('a customer is taken when document and e-mail both match; the page says what was typed', async () => {
  const product = await newProduct(invoices)
  const { customer: first } = await buy(invoices, product)
  const again = await buy(invoices, product, { name: 'A. S.', email: 'ANA@example.com' })
  expect(again.customer).toMatchObject({ id: first?.id, name: 'A. S.' })
  const other = await buy(invoices, product, { email: 'mallory@example.com' })
  expect(other.customer?.id).not.toBe(first?.id)
  expect(await countOf(invoices, product)).toEqual({ invoices: 3, customers: 2 })
})

test.each<[Partial<ProductFields>, string]>([
  [{ active: false }, 'not sold'],
  [{ methods: [ProductMethod.PIX] }, 'no usable method'],
])('a link is closed: %j', async (changes) => {
  const product = await newProduct(invoices, changes)
  expect(await open(invoices, product)).toMatchObject({ open: false })
  await expect(buy(invoices, product)).rejects.toMatchObject({ reason: 'PAYMENT_WINDOW_CLOSED' })
  expect(await countOf(invoices, product)).toEqual({ invoices: 0, customers: 0 })
})

test.each([{ productType: ProductType.RECURRING }, { value: 0 }])('%j has no link', async (changes) => {
  expect((await newProduct(invoices, changes)).linkToken).toBe('')
})

test('a deleted product has no link any more, and its purchases stay', async () => {
  const product = await newProduct(invoices)
  const bought = await buy(invoices, product)
  const { products } = invoices
  await callRpc(products, products.deleteProduct, { sellerId: product.sellerId, productId: product.id })
  await expect(open(invoices, product)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await expect(buy(invoices, product)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect(await get(invoices, bought)).toMatchObject({ paymentLinkProductId: product.id })
})

test.each(['name', 'document', 'email'])('a purchase without %s is refused', async (field) => {
  const product = await newProduct(invoices)
  const refused = buy(invoices, product, { [field]: '' })
  await expect(refused).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
})

test('the token survives a replacement, and each product has its own', async () => {
  const product = await newProduct(invoices)
  const { products } = invoices
  const { sellerId, id: productId } = product
  const fields = { ...(product.fields as ProductFields), name: 'Caneca azul' }
  const replaced = await callRpc(products, products.replaceProduct, { sellerId, productId, fields })
  expect(replaced.linkToken).toBe(product.linkToken)
  expect(product.linkToken).toMatch(/^[\w-]{22}$/)
  expect((await newProduct(invoices)).linkToken).not.toBe(product.linkToken)
})

test('a product that was made before links has a token that nobody can guess', async () => {
  const { rows } = await invoices.pool.query<{ linkToken: string }>(
    `INSERT INTO products (seller_id, product_type, name, name_key, value, active, methods, fee_pass_through, created_at, updated_at)
     SELECT 1, 'ONETIME', 'Antigo', 'antigo', 100, true, '[]', false, now(), now() FROM generate_series(1, 2)
     RETURNING link_token AS "linkToken"`,
  )
  expect(rows.map(({ linkToken }) => linkToken)).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{22}$/)))
  expect(rows[0]?.linkToken).not.toBe(rows[1]?.linkToken)
})

test('a seller is told which methods and fees its link can’t offer', async () => {
  const product = await createProduct(invoices, newSeller(), {
    methods: [ProductMethod.CREDIT_CARD, ProductMethod.PIX, ProductMethod.BOLETO],
  })
  expect(product.warnings.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    '#/methods/1 METHOD_UNAVAILABLE',
    '#/methods/2 METHOD_UNAVAILABLE',
  ])
  const closed = await createProduct(invoices, newSeller(), { methods: [ProductMethod.PIX] })
  expect(closed.warnings.map(({ code }) => code)).toEqual(['METHOD_UNAVAILABLE', 'NO_METHOD'])
  expect((await open(invoices, product)).methods).toEqual([PaymentMethod.CREDIT_CARD])
})

test('repeats make one invoice, and a key is valid for one form', async () => {
  const product = await newProduct(invoices)
  const bought = await buyOnce(invoices, product, 'once')
  expect((await buyOnce(invoices, product, 'once')).id).toBe(bought.id)
  await expect(buyOnce(invoices, product, 'once', 'other')).rejects.toMatchObject({
    reason: 'IDEMPOTENCY_KEY_REUSED',
  })
  expect(await countOf(invoices, product)).toEqual({ invoices: 1, customers: 1 })
})

test('a double click makes one invoice, and two forms at once find one customer', async () => {
  const product = await newProduct(invoices)
  const both = await Promise.all(['same', 'same'].map((key) => buyOnce(invoices, product, key)))
  expect(both[0]?.id).toBe(both[1]?.id)
  await Promise.all(['one', 'two'].map((key) => buyOnce(invoices, product, key)))
  expect(await countOf(invoices, product)).toEqual({ invoices: 3, customers: 1 })
})

test('at most five purchases of one document wait at once, however many come together', async () => {
  const product = await newProduct(invoices)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => buy(invoices, product)))
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as object] : []))
  expect(refused).toEqual(Array(3).fill(expect.objectContaining({ reason: 'RATE_LIMITED' })))
  const [made] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (made) await pay(invoices, made)
  await buy(invoices, product)
  await buy(invoices, product, { document: '52998224725' })
})

test('a purchase that is interrupted leaves nothing, and its repeat makes one', async () => {
  const product = await newProduct(invoices)
  await buy(invoices, product, { document: '52998224725' })
  const numbers = 'SELECT FROM invoice_numbers WHERE seller_id = $1 FOR UPDATE'
  await whileHeld(invoices.pool, [numbers, [product.sellerId]], async () => {
    const broken = buyOnce(invoices, product, 'broken').catch((error: unknown) => error)
    await whenWaiting(invoices.pool, 1)
    await invoices.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    await broken
  })
  const bought = await buyOnce(invoices, product, 'broken')
  expect((await buyOnce(invoices, product, 'broken')).id).toBe(bought.id)
  expect(await countOf(invoices, product)).toEqual({ invoices: 2, customers: 2 })
})
