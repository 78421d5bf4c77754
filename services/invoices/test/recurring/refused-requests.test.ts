import { MAX_AMOUNT } from '@cofre/platform/money'
import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { BillingFrequency, CollectionMethod, InvoiceTerms } from '@cofre/proto/invoices/v1/recurring'
import { startOf } from '@cofre/platform/calendar-day'
import { createCustomer } from '../support/customers'
import { newShop, type Shop } from '../support/invoices'
import { createProduct } from '../support/products'
import { createRecurring, recurringFor } from '../support/recurring'
import { newSeller, startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  shop = await newShop(invoices)
})
afterAll(() => invoices.stop())

const refused = (changes = {}) => expect(createRecurring(invoices, recurringFor(shop, changes))).rejects

test.each([
  ['no items', () => ({ recurringItems: [] }), '#/recurringItems'],
  ['too long until due', () => ({ daysUntilDue: 366 }), '#/daysUntilDue'],
  ['no frequency', () => ({ frequency: BillingFrequency.UNSPECIFIED }), '#/billingFrequency'],
  ['no collection', () => ({ collectionMethod: CollectionMethod.UNSPECIFIED }), '#/collectionMethod'],
  [
    'too much in a cycle with an extra item',
    () => ({
      recurringItems: [{ productId: shop.productId, quantity: 1, unitPriceInCents: MAX_AMOUNT }],
      extraItems: [{ item: { productId: shop.productId, quantity: 1, unitPriceInCents: 1 }, cycle: 7 }],
    }),
    '#/extraItems',
  ],
  [
    'more items in a cycle than an invoice has',
    () => {
      const item = { productId: shop.productId, quantity: 1, unitPriceInCents: 1 }
      return { recurringItems: Array.from({ length: 500 }, () => item), extraItems: [{ item, cycle: 7 }] }
    },
    '#/extraItems',
  ],
  ['a first due date in seconds', () => ({ nextCycleDueDate: 1_801_364_400 }), '#/nextCycleDueDate'],
  [
    'a first due date before the first cycle',
    () => ({ nextCycleDueDate: startOf('2055-01-31') - 1 }),
    '#/nextCycleDueDate',
  ],
  [
    'a start that is overridden and missing',
    () => ({ billingCycleStartDate: undefined, startDateOverridden: true }),
    '#/billingCycleStartDate',
  ],
  ['a card that is never charged', () => ({ cardId: 7 }), '#/cardId'],
  [
    'cards that are charged and not accepted',
    () => ({
      collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY,
      terms: InvoiceTerms.fromPartial({ acceptedMethods: [{ method: PaymentMethod.BOLETO }] }),
    }),
    '#/collectionMethod',
  ],
  [
    'a method that nobody knows',
    () => ({ terms: InvoiceTerms.fromPartial({ acceptedMethods: [{ method: PaymentMethod.UNSPECIFIED }] }) }),
    '#/acceptedPaymentMethods/0/method',
  ],
  [
    'a discount of all that a cycle asks for',
    () => ({ terms: InvoiceTerms.fromPartial({ discounts: [{ amountInCents: 9_980 }] }) }),
    '#/discounts/0/amountInCents',
  ],
  [
    'a discount of two units',
    () => ({ terms: InvoiceTerms.fromPartial({ discounts: [{ amountInCents: 1, percentageBps: 1 }] }) }),
    '#/discounts/0',
  ],
  [
    'a cycle 0',
    () => ({
      extraItems: [{ item: { productId: shop.productId, quantity: 1, unitPriceInCents: 1 }, cycle: 0 }],
    }),
    '#/extraItems/0/cycle',
  ],
  [
    'more missed cycles than anybody is sent at once',
    () => ({
      frequency: BillingFrequency.WEEKLY,
      billingCycleStartDate: startOf('2020-01-01'),
      startDateOverridden: true,
    }),
    '#/billingCycleStartDate',
  ],
])('%s is refused, with a pointer to it', async (_what, changes, pointer) => {
  await refused(changes()).toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [expect.objectContaining({ pointer })] },
  })
})

test('references that the seller does not have are refused, with a pointer to each', async () => {
  const { id: theirs } = await createProduct(invoices, newSeller())
  const { id: nobody } = await createCustomer(invoices, newSeller())
  const item = { productId: theirs, quantity: 1, unitPriceInCents: 1 }
  await refused({
    customerId: nobody,
    collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY,
    cardId: 987_654,
    recurringItems: [item],
    extraItems: [{ item, cycle: 1 }],
  }).toMatchObject({
    reason: 'REFERENCE_NOT_FOUND',
    extra: {
      errors: ['#/customerId', '#/cardId', '#/recurringItems/0/productId', '#/extraItems/0/productId'].map(
        (pointer) => expect.objectContaining({ pointer }),
      ),
    },
  })
})

test('the message for a request whose only missing reference is the card says so', async () => {
  const collectionMethod = CollectionMethod.CHARGE_AUTOMATICALLY
  await refused({ collectionMethod, cardId: 987_654 }).toMatchObject({
    message: 'The recurring invoice names a card that does not exist.',
  })
})

test('splits that exceed the amount of a cycle are refused', async () => {
  const split = { recipientId: 1, amountInCents: 9_981, liable: false, chargeProcessingFee: false }
  const terms = {
    acceptedMethods: [],
    fine: undefined,
    interest: undefined,
    notificationUrl: '',
    successUrl: '',
  }
  await refused({ terms: { ...terms, splits: [{ ...split, percentageBps: undefined }] } }).toMatchObject({
    reason: 'SPLIT_EXCEEDS_TOTAL',
  })
})
