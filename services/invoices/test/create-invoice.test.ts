import { MAX_EPOCH_MS } from '@cofre/api/schema'
import { callRpc } from '@cofre/platform/grpc/client'
import {
  AcceptedMethod,
  type CreateInvoiceRequest,
  InvoiceStatus,
  PaymentMethod,
  type NewItem,
  type Split,
} from '@cofre/proto/invoices/v1/invoices'
import { ANA } from './support/customers'
import {
  create,
  createAgain,
  DAY_MS,
  finalize,
  get,
  invoiceFor,
  latestCharge,
  createRecipient,
  newShop,
  pretendInTime,
  type Shop,
} from './support/invoices'
import { withKey } from './support/repeated'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  shop = await newShop(invoices)
})
afterAll(() => invoices.stop())

const DUE = Date.now() + 30 * DAY_MS
const { CREDIT_CARD, BOLETO } = PaymentMethod

test('an invoice is kept whole, as a draft, with its total and the printed data of customer and products', async () => {
  const { productId, sellerId } = shop
  const { id: ana } = await createRecipient(invoices, sellerId)
  const { id: rui } = await createRecipient(invoices, sellerId, { name: 'Rui' })
  const terms = {
    dueDate: DUE,
    paymentLimitDate: DUE + DAY_MS,
    invoiceNumber: 'A-77',
    notificationUrl: 'https://shop.example.com/paid',
    successUrl: 'https://shop.example.com/thanks',
    acceptedMethods: [
      {
        method: CREDIT_CARD,
        cardSettings: { maxInstallments: 3, feePassThrough: true, threeDSecure: true },
      },
      {
        method: BOLETO,
        boletoSettings: { daysAfterDueDate: 30, instructions: ['Não receber em cheque.'] },
      },
    ].map((given) => AcceptedMethod.fromPartial(given)),
    splits: [
      {
        recipientId: ana,
        amountInCents: 1_500,
        percentageBps: undefined,
        liable: false,
        chargeProcessingFee: false,
      },
      {
        recipientId: rui,
        amountInCents: undefined,
        percentageBps: 1_000,
        liable: true,
        chargeProcessingFee: true,
      },
    ],
    fine: { percentageBps: 300, amountInCents: undefined, startsAfterDays: 2 },
    interest: { dailyAmountInCents: 3, monthlyPercentageBps: undefined, startsAfterDays: 5 },
  }
  const items = [
    { productId, quantity: 2, unitPriceInCents: 4_990 },
    { productId, quantity: 1, unitPriceInCents: 20 },
  ]
  const made = await create(invoices, invoiceFor(shop, { ...terms, items }))
  expect(made).toMatchObject({
    ...terms,
    sellerId: shop.sellerId,
    status: InvoiceStatus.OPEN,
    customer: { id: shop.customerId, name: ANA.name, document: ANA.document, email: ANA.email },
    amount: 10_000,
    fineAmount: 0,
    interestAmount: 0,
    payableAmount: 10_000,
    paidAmount: 0,
    refundedAmount: 0,
    disputedAmount: 0,
    pastDue: false,
    closeDate: undefined,
    paymentDate: undefined,
    warnings: [{ pointer: '#/fine' }],
    items: [
      { id: 1, productId, description: 'Caneca', quantity: 2, unitPriceInCents: 4_990, totalInCents: 9_980 },
      { id: 2, productId, description: 'Caneca', quantity: 1, unitPriceInCents: 20, totalInCents: 20 },
    ],
    charge: undefined,
  })
  expect(made.publicId).toMatch(/^[\w-]{22}$/)
  expect(await get(invoices, made)).toEqual(made)
})

test('omitted fields have their defaults: no split, no late charges', async () => {
  const made = await create(invoices, invoiceFor(shop))
  expect(made).toMatchObject({
    splits: [],
    fine: undefined,
    interest: undefined,
    paymentLimitDate: undefined,
  })
  expect([made.notificationUrl, made.successUrl]).toEqual(['', ''])
})

test('an invoice that was issued in time is shown as late; one issued after its due date has a warning', async () => {
  const request = invoiceFor(shop, {
    finalize: true,
    dueDate: Date.now() - 400 * DAY_MS,
    items: [{ productId: shop.productId, quantity: 1, unitPriceInCents: 30_000 }],
    fine: { percentageBps: 200, amountInCents: undefined, startsAfterDays: 1 },
    interest: { monthlyPercentageBps: 100, dailyAmountInCents: undefined, startsAfterDays: 1 },
  })
  const made = await create(invoices, request)
  expect(made).toMatchObject({ pastDue: false, payableAmount: 30_000 })
  expect(made.warnings.map(({ code }) => code)).toEqual(['DUE_DATE_PAST'])
  await pretendInTime(invoices, made)
  const { pastDue, fineAmount, interestAmount, payableAmount } = await get(invoices, made)
  expect([pastDue, fineAmount, interestAmount]).toEqual([true, 600, 4_000])
  expect(payableAmount).toBe(34_600)
})

const item = (changes: Partial<NewItem>): Partial<CreateInvoiceRequest> => ({
  items: [{ productId: 1, quantity: 1, unitPriceInCents: 1, ...changes }],
})
test('an invoice may be of the highest amount', async () => {
  const { productId } = shop
  const items = [{ productId, quantity: 1, unitPriceInCents: 99_999_999_999 }]
  expect((await create(invoices, invoiceFor(shop, { items }))).amount).toBe(99_999_999_999)
})

const split = (changes: Partial<Split>): Partial<CreateInvoiceRequest> => ({
  splits: [
    {
      recipientId: 1,
      amountInCents: undefined,
      percentageBps: undefined,
      liable: false,
      chargeProcessingFee: false,
      ...changes,
    },
  ],
})

test.each<[string, Partial<CreateInvoiceRequest>, string, string]>([
  ['no item', { items: [] }, '#/items', 'LENGTH'],
  [
    'too many items',
    {
      items: Array.from({ length: 501 }, (): NewItem => ({ productId: 1, quantity: 1, unitPriceInCents: 1 })),
    },
    '#/items',
    'LENGTH',
  ],
  ['no quantity', item({ quantity: 0 }), '#/items/0/quantity', 'RANGE'],
  ['too large a quantity', item({ quantity: 1_000_001 }), '#/items/0/quantity', 'RANGE'],
  ['too high a price', item({ unitPriceInCents: 100_000_000_000 }), '#/items/0/unitPriceInCents', 'RANGE'],
  ['too high a total', item({ quantity: 2, unitPriceInCents: 99_999_999_999 }), '#/items', 'MAX'],
  ['a split of nothing', split({}), '#/splits/0', 'EXACTLY_ONE'],
  ['a split of two units', split({ amountInCents: 1, percentageBps: 1 }), '#/splits/0', 'EXACTLY_ONE'],
  [
    'a fine of two units',
    { fine: { amountInCents: 1, percentageBps: 1, startsAfterDays: 1 } },
    '#/fine',
    'EXACTLY_ONE',
  ],
  [
    'interest of nothing',
    { interest: { dailyAmountInCents: undefined, monthlyPercentageBps: undefined, startsAfterDays: 1 } },
    '#/interest',
    'EXACTLY_ONE',
  ],
])('%s is refused', async (_name, changes, pointer, code) => {
  await expect(create(invoices, invoiceFor(shop, changes))).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer, code }] },
  })
})

test('a customer or product that the seller does not have is named, and nothing is kept', async () => {
  const other = await newShop(invoices)
  const items = [
    { productId: shop.productId, quantity: 1, unitPriceInCents: 1 },
    { productId: other.productId, quantity: 1, unitPriceInCents: 1 },
  ]
  const request = invoiceFor(shop, { customerId: other.customerId, items })
  const pointers = ['#/customerId', '#/items/1/productId']
  await expect(withKey('refused', () => create(invoices, request))).rejects.toMatchObject({
    reason: 'REFERENCE_NOT_FOUND',
    extra: { errors: pointers.map((pointer) => expect.objectContaining({ pointer })) },
  })
  const good = invoiceFor(shop)
  expect(await withKey('refused', () => createAgain(invoices, good))).toMatchObject({ replayed: false })
})

test('splits that exceed the total are refused', async () => {
  const request = invoiceFor(shop, split({ amountInCents: 9_981 }))
  await expect(create(invoices, request)).rejects.toMatchObject({ reason: 'SPLIT_EXCEEDS_TOTAL' })
})

test('repeats make one invoice with one number, even all at once', async () => {
  const request = invoiceFor(shop)
  const make = () => withKey('once', () => createAgain(invoices, request))
  const answers = await Promise.allSettled([make(), make(), make(), make()])
  for (const answer of answers) {
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ reason: 'IDEMPOTENCY_KEY_IN_USE' })
  }
  const { response, replayed } = await make()
  expect([replayed, response.invoiceNumber]).toEqual([true, '000001'])
  const { rows } = await invoices.pool.query('SELECT id FROM invoices WHERE seller_id = $1', [shop.sellerId])
  expect(rows).toEqual([{ id: response.id }])
})

test('an invoice finalized at once is CLOSED and has its charge, once for any number of requests', async () => {
  const request = invoiceFor(shop, { finalize: true })
  const made = await withKey('at once', () => create(invoices, request))
  expect(made).toMatchObject({ status: InvoiceStatus.CLOSED, invoiceNumber: '000001', payableAmount: 9_980 })
  expect(made.closeDate).toBe(made.createdAt)
  expect(made.charge).toMatchObject({ invoiceId: made.id, amount: 9_980, transactions: [] })
  expect(await get(invoices, made)).toEqual(made)
  expect(await latestCharge(invoices, made)).toEqual(made.charge)
  await expect(finalize(invoices, made)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  const again = await withKey('at once', () => createAgain(invoices, request))
  expect(again).toMatchObject({ replayed: true, response: made })
  const { rows } = await invoices.pool.query('SELECT id FROM invoice_charges WHERE seller_id = $1', [
    shop.sellerId,
  ])
  expect(rows).toEqual([{ id: made.charge?.id }])
})

test('a taken number leaves neither an invoice nor a charge, even when it is to be finalized at once', async () => {
  const request = invoiceFor(shop, { finalize: true, invoiceNumber: 'A-1' })
  const results = await Promise.allSettled([1, 2, 3].map(() => create(invoices, request)))
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused).toMatchObject([{ reason: 'INVOICE_NUMBER_TAKEN' }, { reason: 'INVOICE_NUMBER_TAKEN' }])
  for (const table of ['invoices', 'invoice_charges']) {
    const { rowCount } = await invoices.pool.query(`SELECT FROM ${table} WHERE seller_id = $1`, [
      shop.sellerId,
    ])
    expect(rowCount).toBe(1)
  }
})

test('a deleted customer stays on its invoices, and cannot be on a new one', async () => {
  const made = await create(invoices, invoiceFor(shop))
  const { customers } = invoices
  await callRpc(customers, customers.deleteCustomer, shop)
  expect((await get(invoices, made)).customer).toEqual(made.customer)
  await expect(create(invoices, invoiceFor(shop))).rejects.toMatchObject({ reason: 'REFERENCE_NOT_FOUND' })
})

test('when a deletion and an invoice of the same customer happen at once, either order is consistent', async () => {
  const { customers } = invoices
  for (let round = 0; round < 10; round += 1) {
    const each = await newShop(invoices)
    const [made, deleted] = await Promise.allSettled([
      create(invoices, invoiceFor(each)),
      callRpc(customers, customers.deleteCustomer, each),
    ])
    expect(deleted.status).toBe('fulfilled')
    if (made.status === 'fulfilled') expect(made.value.customer).toMatchObject({ name: ANA.name })
    else expect(made.reason).toMatchObject({ reason: 'REFERENCE_NOT_FOUND' })
  }
})

test('another seller’s invoice is not found', async () => {
  const { id } = await create(invoices, invoiceFor(shop))
  await expect(get(invoices, { id, sellerId: newSeller() })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})

test('an invoice may be due on the last day that a request can name', async () => {
  expect(await create(invoices, invoiceFor(shop, { dueDate: MAX_EPOCH_MS }))).toMatchObject({
    dueDate: MAX_EPOCH_MS,
    pastDue: false,
  })
})
