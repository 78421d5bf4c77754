import {
  AcceptedMethod,
  InvoiceChargeStatus,
  InvoiceStatus,
  InvoiceTransactionStatus,
  MovementMethod,
  PaymentMethod,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import { DeclineAdvice, type Charge } from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import {
  create,
  DAY_MS,
  finalize,
  get,
  invoiceFor,
  latestCharge,
  newShop,
  pretendInTime,
  uncollectible,
  voidInvoice,
  type Shop,
} from '../support/invoices'
import {
  answerAsUsual,
  chargeOf,
  declines,
  eventsSent,
  PAN,
  pay,
  receiptsOf,
  sealed,
} from '../support/payments'
import { newSeller, startInvoices, type TestInvoices } from '../support/start-invoices'

const { OPEN, CLOSED, PAID, UNCOLLECTIBLE } = InvoiceStatus
const { SUCCEEDED, FAILED } = InvoiceTransactionStatus
const CARD = PaymentMethod.CREDIT_CARD

let invoices: TestInvoices
let shop: Shop
let invoice: Invoice
beforeAll(async () => {
  invoices = await startInvoices()
  shop = await newShop(invoices)
})
beforeEach(async () => {
  answerAsUsual(invoices)
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

test('the amount shown to the payer is charged, and nothing when the amount has changed', async () => {
  const other = pay(invoices, invoice, { expectedAmount: 9_979 })
  await expect(other).rejects.toMatchObject({ kind: 'failed_precondition', reason: 'AMOUNT_CHANGED' })
  expect(await get(invoices, invoice)).toMatchObject({ status: OPEN, charge: undefined })
  expect(await pay(invoices, invoice, { expectedAmount: 9_980 })).toMatchObject({ amount: 9_980 })
})

test('a card pays a finalized invoice, with its charge, transaction, event and receipt', async () => {
  await finalize(invoices, invoice)
  const charge = await pay(invoices, invoice, { installments: 3 })
  const { id: chargeId } = chargeOf(invoices, invoice)
  expect(charge).toMatchObject({
    invoiceId: invoice.id,
    status: InvoiceChargeStatus.PAID,
    method: MovementMethod.CREDIT_CARD,
    amount: 9_980,
    transactions: [{ type: CARD, status: SUCCEEDED, amount: 9_980, chargeId, decline: undefined }],
  })
  const paid = await get(invoices, invoice)
  expect(paid).toMatchObject({ status: PAID, paidAmount: 9_980, payableAmount: 0, charge })
  expect(paid.paymentDate).toBe(paid.updatedAt)
  expect(await latestCharge(invoices, invoice)).toEqual(charge)
  expect(await eventsSent(invoices, invoice)).toEqual([
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
  ])
  expect(await receiptsOf(invoices, invoice)).toBe(1)
})

test('the orders service charges and captures at once, for the invoice’s number and its customer', async () => {
  const authentication = { eci: '05', version: '2.2.0', authenticationValue: 'A'.repeat(28), referenceId: '' }
  await pay(invoices, invoice, { installments: 2, authentication })
  expect(invoices.behind.orders.asked.authorize.at(-1)).toMatchObject({
    sellerId: shop.sellerId,
    amount: 9_980,
    capture: true,
    orderReference: invoice.invoiceNumber,
    customer: { name: invoice.customer?.name, document: invoice.customer?.document },
    payments: [{ amount: 9_980, installments: 2, card: { handle: PAN }, authentication }],
    metadata: { invoiceId: invoice.id },
  })
})

test('paying a draft finalizes it; a decline leaves it closed, with the advice, and another card pays it', async () => {
  const { hooks } = invoices.behind.orders
  hooks.outcome = declines
  const declined = await pay(invoices, invoice)
  const decline = { code: 'INSUFFICIENT_FUNDS', acquirerCode: '51', advice: DeclineAdvice.TRY_LATER }
  expect(declined).toMatchObject({
    status: InvoiceChargeStatus.PENDING,
    method: MovementMethod.UNSPECIFIED,
    transactions: [{ status: FAILED, decline }],
  })
  expect(await get(invoices, invoice)).toMatchObject({
    status: CLOSED,
    payableAmount: 9_980,
    charge: declined,
  })
  hooks.outcome = (charge) => charge
  const { transactions } = await pay(invoices, invoice)
  expect(transactions.map(({ status }) => status)).toEqual([FAILED, SUCCEEDED])
  expect(await eventsSent(invoices, invoice)).toEqual([
    'invoice.created',
    'invoice.finalized',
    'invoice.payment_failed',
    'invoice.paid',
  ])
})

test('an uncollectible invoice is paid, and gets its charge if it was a draft', async () => {
  await uncollectible(invoices, invoice)
  invoices.behind.orders.hooks.outcome = declines
  await pay(invoices, invoice)
  expect(await get(invoices, invoice)).toMatchObject({ status: UNCOLLECTIBLE, charge: { amount: 9_980 } })
  invoices.behind.orders.hooks.outcome = (charge) => charge
  await pay(invoices, invoice)
  expect(await get(invoices, invoice)).toMatchObject({ status: PAID, closeDate: expect.any(Number) })
})

test('late charges are paid too', async () => {
  const late = await create(
    invoices,
    invoiceFor(shop, {
      dueDate: Date.now() - 40 * DAY_MS,
      fine: { amountInCents: 500, percentageBps: undefined, startsAfterDays: 1 },
    }),
  )
  await finalize(invoices, late)
  await pretendInTime(invoices, late)
  await pay(invoices, late)
  expect(await get(invoices, late)).toMatchObject({ paidAmount: 10_480, amount: 9_980 })
  expect(chargeOf(invoices, late).amount).toBe(10_480)
})

test('an invoice of amount 0 is paid by verifying a card', async () => {
  const items = [{ productId: shop.productId, quantity: 1, unitPriceInCents: 0 }]
  const free = await create(invoices, invoiceFor(shop, { items }))
  await expect(pay(invoices, free, { installments: 2 })).rejects.toMatchObject({
    reason: 'INSTALLMENTS_NOT_ALLOWED',
  })
  await pay(invoices, free)
  expect(await get(invoices, free)).toMatchObject({ status: PAID, paidAmount: 0 })
})

test('installments below R$ 5,00, which acquirers decline; one payment may be smaller', async () => {
  const of = (unitPriceInCents: number) =>
    create(
      invoices,
      invoiceFor(shop, { items: [{ productId: shop.productId, quantity: 1, unitPriceInCents }] }),
    )
  const small = await of(1_450)
  await expect(pay(invoices, small, { installments: 3 })).rejects.toMatchObject({
    reason: 'INSTALLMENTS_NOT_ALLOWED',
    message: 'At most 2 installments are allowed for this invoice. Each must be at least 500 cents.',
  })
  expect((await pay(invoices, small, { installments: 2 })).transactions).toMatchObject([
    { status: SUCCEEDED, amount: 1_450 },
  ])
  expect((await pay(invoices, await of(1))).transactions).toMatchObject([{ status: SUCCEEDED }])
})

test('a payer who bears the fee pays it on top of the price, and the invoice records only the price', async () => {
  const cardSettings = { maxInstallments: 12, feePassThrough: true, threeDSecure: false }
  const acceptedMethods = [AcceptedMethod.fromPartial({ method: CARD, cardSettings })]
  const borne = await create(invoices, invoiceFor(shop, { acceptedMethods }))
  const { transactions } = await pay(invoices, borne, { installments: 2 })
  const amount = 10_435
  expect(amount - Math.round(amount * 0.0399) - 39).toBe(9_980)
  expect(transactions).toMatchObject([{ status: SUCCEEDED, amount }])
  expect(chargeOf(invoices, borne).amount).toBe(amount)
  expect(await get(invoices, borne)).toMatchObject({ status: PAID, paidAmount: 9_980, amount: 9_980 })
  const atOnce = await create(invoices, invoiceFor(shop, { acceptedMethods }))
  expect((await pay(invoices, atOnce)).transactions).toMatchObject([{ amount: 9_980 }])
})

test('a stored card pays by its id, by its token, or by its token with a CVV', async () => {
  const { id: cardId, token: cardToken } = invoices.behind.vault.store(shop.sellerId, PAN)
  const paid = () => invoices.behind.orders.asked.authorize.at(-1)?.payments[0]
  await pay(invoices, invoice, { cardId })
  expect(paid()).toMatchObject({ cardToken, card: undefined })
  await pay(invoices, await create(invoices, invoiceFor(shop)), { cardToken })
  expect(paid()).toMatchObject({ cardToken, card: undefined })
  const card = sealed({ pointer: '#/cardToken', source: CardSource.CARD_TOKEN, handle: cardToken })
  await pay(invoices, await create(invoices, invoiceFor(shop)), { cardToken, card })
  expect(paid()).toMatchObject({ cardToken: '', card: { handle: cardToken } })
  await pay(invoices, await create(invoices, invoiceFor(shop)), { networkToken: 'ab'.repeat(32) })
  expect(paid()).toMatchObject({ networkToken: 'ab'.repeat(32) })
})

describe('refused, and nothing is charged', () => {
  let asked: number
  beforeEach(() => {
    asked = invoices.behind.orders.asked.authorize.length
  })
  afterEach(() => {
    expect(invoices.behind.orders.asked.authorize).toHaveLength(asked)
  })

  test('an unknown card, with a pointer to it; the draft stays one', async () => {
    const errors = (pointer: string) => ({ extra: { errors: [{ pointer }] } })
    await expect(pay(invoices, invoice, { cardId: 999 })).rejects.toMatchObject({
      reason: 'REFERENCE_NOT_FOUND',
      ...errors('#/cardId'),
    })
    await expect(pay(invoices, invoice, { cardToken: '0'.repeat(64) })).rejects.toMatchObject({
      reason: 'CARD_TOKEN_UNUSABLE',
      ...errors('#/cardToken/token'),
    })
    const { id: cardId } = invoices.behind.vault.store(newSeller(), PAN)
    await expect(pay(invoices, invoice, { cardId })).rejects.toMatchObject({ reason: 'REFERENCE_NOT_FOUND' })
    expect(await get(invoices, invoice)).toMatchObject({ status: OPEN, charge: undefined })
  })

  test('a paid or cancelled invoice, with the allowed actions', async () => {
    await voidInvoice(invoices, invoice)
    await expect(pay(invoices, invoice)).rejects.toMatchObject({
      reason: 'INVALID_INVOICE_STATE',
      extra: { members: { currentStatus: 'CANCELLED', allowedActions: [] } },
    })
  })

  test('past its limit date, by a method that it does not take, in more installments than it allows', async () => {
    const over = await create(invoices, invoiceFor(shop, { paymentLimitDate: Date.now() + 60_000 }))
    await invoices.pool.query(
      `UPDATE invoices SET payment_limit_date = now() - interval '1 day' WHERE id = $1`,
      [over.id],
    )
    await expect(pay(invoices, over)).rejects.toMatchObject({ reason: 'PAYMENT_WINDOW_CLOSED' })

    const boleto = AcceptedMethod.fromPartial({ method: PaymentMethod.BOLETO })
    const slip = await create(invoices, invoiceFor(shop, { acceptedMethods: [boleto] }))
    await expect(pay(invoices, slip)).rejects.toMatchObject({ reason: 'PAYMENT_METHOD_NOT_ACCEPTED' })

    const cardSettings = { maxInstallments: 3, feePassThrough: false, threeDSecure: false }
    const card = AcceptedMethod.fromPartial({ method: CARD, cardSettings })
    const three = await create(invoices, invoiceFor(shop, { acceptedMethods: [card] }))
    await expect(pay(invoices, three, { installments: 4 })).rejects.toMatchObject({
      reason: 'INSTALLMENTS_NOT_ALLOWED',
      extra: { errors: [{ pointer: '#/installments' }] },
    })
    expect(await get(invoices, three)).toMatchObject({ status: OPEN })
  })

  test('no card, two cards, an invalid number of installments, a network token to be kept', async () => {
    const faults = { reason: 'VALIDATION_FAILED' }
    await expect(pay(invoices, invoice, { card: undefined })).rejects.toMatchObject(faults)
    await expect(pay(invoices, invoice, { cardId: 1, card: sealed() })).rejects.toMatchObject(faults)
    for (const installments of [0, 13]) {
      await expect(pay(invoices, invoice, { installments })).rejects.toMatchObject(faults)
    }
    const kept = { networkToken: 'ab'.repeat(32), keepCard: true }
    await expect(pay(invoices, invoice, kept)).rejects.toMatchObject(faults)
  })

  test('another seller’s invoice', async () => {
    const theirs = { ...invoice, sellerId: newSeller() }
    await expect(pay(invoices, theirs)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  })
})

test.each([
  ['captured', (charge: Charge) => charge, SUCCEEDED],
  ['declined', declines, FAILED],
])(
  'the acquirer’s treatment of an authentication shows on a payment that was %s',
  async (_how, outcome, status) => {
    const authentication = { eci: '05', acquirerEci: '07', downgraded: true }
    invoices.behind.orders.hooks.outcome = (charge) => {
      const { payments, ...rest } = outcome(charge)
      return { ...rest, payments: payments.map((each) => ({ ...each, authentication })) }
    }
    const { transactions } = await pay(invoices, invoice)
    expect(transactions).toMatchObject([{ status, authentication }])
    expect((await get(invoices, invoice)).charge?.transactions).toMatchObject([{ status, authentication }])
  },
)
