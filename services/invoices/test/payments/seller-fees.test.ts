import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { AcceptedMethod, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { Lateness, MoneyClient, type CardFee } from '@cofre/proto/invoices/v1/money'
import { createInvoice } from '../../src/invoice/rpc/create-invoice'
import { billedInvoice, chargeDue, stopCharging } from '../support/dunning'
import { create, get, invoiceFor, newShop, type Shop } from '../support/invoices'
import { answerAsUsual, pay } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
let money: MoneyClient
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
  money = await invoices.network.clientOf(MoneyClient, invoices.address, 'gateway')
})
beforeEach(async () => {
  answerAsUsual(invoices)
  shop = await newShop(invoices)
})
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const cardSettings = { maxInstallments: 3, feePassThrough: true, threeDSecure: false }
const acceptedMethods = [AcceptedMethod.fromPartial({ method: PaymentMethod.CREDIT_CARD, cardSettings })]
const passedOn = { acceptedMethods }

/** 10 % at once, and R$ 1 more from three installments on. */
const OWN: CardFee[] = [
  { installments: 1, percentageBps: 1_000, fixedInCents: 0 },
  { installments: 3, percentageBps: 1_000, fixedInCents: 100 },
]
const setFees = (cardFees: CardFee[], sellerId = shop.sellerId) =>
  callRepeatable(money, money.replaceBillingSettings, {
    sellerId,
    settings: {
      lateness: Lateness.WAIVE,
      holidays: [],
      cardFees,
      pixReceiver: undefined,
      contact: undefined,
    },
  })
const paidOver = async (installments: number) => {
  const invoice = await create(invoices, invoiceFor(shop, passedOn))
  const { transactions } = await pay(invoices, invoice, { installments })
  expect(await get(invoices, invoice)).toMatchObject({ paidAmount: invoice.amount })
  return transactions[0]?.amount
}

test('a payer bears the fees of the seller, and those of the installation where the seller has none', async () => {
  expect(await paidOver(2)).toBe(10_435)
  await setFees(OWN)
  expect([await paidOver(1), await paidOver(2), await paidOver(3)]).toEqual([11_089, 11_089, 11_200])
  expect((await setFees([])).response).toMatchObject({ cardFees: [] })
  expect(await paidOver(2)).toBe(10_435)
})

test('the page shows these prices, and other sellers keep theirs', async () => {
  const { pages } = invoices
  const other = await newShop(invoices)
  await setFees(OWN)
  const pricesOf = async (of: Shop) => {
    const { publicId } = await create(invoices, invoiceFor(of, passedOn))
    return (await callRpc(pages, pages.getPaymentPage, { publicId })).cardPrices
  }
  expect(await pricesOf(shop)).toEqual([11_089, 11_089, 11_200])
  expect(await pricesOf(other)).toEqual([9_980, 10_435, 10_435])
})

test('an automatic charge has the fee on top of the agreed amount', async () => {
  await setFees(OWN)
  const { invoice, dueAt } = await billedInvoice(invoices, { shop, terms: passedOn })
  await chargeDue(invoices, dueAt)
  expect((await get(invoices, invoice)).charge?.transactions).toMatchObject([{ amount: 11_089 }])
})

test('a seller with fees of its own passes them on where the installation has none', async () => {
  const without = { ...invoices.deps, rules: { ...invoices.deps.rules, cardFees: new Map() } }
  const request = invoiceFor(shop, passedOn)
  await expect(createInvoice(without, request)).rejects.toMatchObject({
    reason: 'PAYMENT_METHOD_NOT_ACCEPTED',
  })
  await setFees(OWN)
  expect(await createInvoice(without, request)).toMatchObject({
    response: { acceptedMethods: [{ cardSettings }] },
  })
})

test.each([
  ['installments twice', [OWN[0], OWN[0]], '#/cardFees'],
  ['13 installments', [{ ...OWN[0], installments: 13 }], '#/cardFees/0/installments'],
  ['more than half', [{ ...OWN[0], percentageBps: 5_001 }], '#/cardFees/0/percentageBps'],
  ['a negative amount', [{ ...OWN[0], fixedInCents: -1 }], '#/cardFees/0/fixedInCents'],
])('fees are refused with a pointer: %s', async (_what, fees, pointer) => {
  await expect(setFees(fees as CardFee[])).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer }] },
  })
  expect(await callRpc(money, money.getBillingSettings, { sellerId: shop.sellerId })).toMatchObject({
    cardFees: [],
  })
})

test('the settings are read as they were written, in order of installments', async () => {
  await setFees(OWN.toReversed())
  const settings = await callRpc(money, money.getBillingSettings, { sellerId: shop.sellerId })
  expect(settings).toEqual({ lateness: Lateness.WAIVE, holidays: [], cardFees: OWN })
})
