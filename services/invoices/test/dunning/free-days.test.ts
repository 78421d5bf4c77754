import { addDays, startOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import {
  BillingFrequency,
  CollectionMethod,
  CreateBookletRequest,
  InvoiceTerms,
} from '@cofre/proto/invoices/v1/recurring'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import { keep, setClock } from '../support/dunning'
import { get, newShop, type Shop } from '../support/invoices'
import { PAN } from '../support/payments'
import { billAll, createRecurring, cycleInvoices, recurringFor } from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const FIRST_DAY = '2055-01-31'
/** A Friday. */
const DUE_DAY = '2055-02-05'
const TERMS = {
  fine: { percentageBps: 200, startsAfterDays: 1 },
  interest: { dailyAmountInCents: 3, startsAfterDays: 1 },
}
const { CHARGE_AUTOMATICALLY, SEND_INVOICE } = CollectionMethod

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  shop = await newShop(invoices)
  await keep(invoices, shop, invoices.behind.vault.store(shop.sellerId, PAN).id)
})
afterEach(() => setClock(Date.now()))
afterAll(() => invoices.stop())

type Wanted = {
  collectionMethod?: CollectionMethod
  cardPaysFineAndInterest?: boolean
  startsAfterDays?: number
}

/** What the first invoice of a plan asks for on days after its due day, cents. It is of 9980, fine and interest included. */
async function askedOn(days: readonly number[], wanted: Wanted = {}): Promise<(number | undefined)[]> {
  setClock(Date.now())
  const { startsAfterDays = 1, collectionMethod = CHARGE_AUTOMATICALLY, ...more } = wanted
  const terms = { ...TERMS, fine: { ...TERMS.fine, startsAfterDays } }
  const plan = await createRecurring(
    invoices,
    recurringFor(shop, {
      collectionMethod,
      cardPaysFineAndInterest: false,
      ...more,
      terms: InvoiceTerms.fromPartial(terms),
    }),
  )
  await billAll(billCycles(invoices.deps), startOf(FIRST_DAY))
  const [invoice] = await cycleInvoices(invoices, plan)
  if (!invoice) throw new Error('the cycle was not billed')
  const asked: (number | undefined)[] = []
  for (const day of days) {
    setClock(startOf(addDays(DUE_DAY, day)) + 1_000)
    asked.push((await get(invoices, invoice)).payableAmount)
  }
  return asked
}

test('the days on which a card is tried again cost neither fine nor interest; the day after them does', async () => {
  expect(await askedOn([0, 1, 3, 7, 8, 9])).toEqual([9_980, 9_980, 9_980, 9_980, 10_183, 10_186])
})

test('a plan whose card pays fine and interest has both from its own first day on', async () => {
  expect(await askedOn([0, 3, 8], { cardPaysFineAndInterest: true })).toEqual([9_980, 10_189, 10_204])
})

test('a fine that starts later than the retries end starts on its own day', async () => {
  expect(await askedOn([8, 20], { startsAfterDays: 20 })).toEqual([9_983, 10_219])
})

test('an invoice that is mailed, or waits for a card, is late from its due day on', async () => {
  expect(await askedOn([3], { collectionMethod: SEND_INVOICE })).toEqual([10_189])
  shop = await newShop(invoices)
  expect(await askedOn([3])).toEqual([10_189])
})

test('the invoices of a booklet that charges a card have the same free days', async () => {
  setClock(startOf(FIRST_DAY))
  const request = CreateBookletRequest.fromPartial({
    sellerId: shop.sellerId,
    customerId: shop.customerId,
    daysUntilDue: 5,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CHARGE_AUTOMATICALLY,
    charges: 2,
    recurringItem: { productId: shop.productId, quantity: 1, unitPriceInCents: 9_900 },
    terms: TERMS,
  })
  const booklet = await callRpc(invoices.recurring, invoices.recurring.createBooklet, request)
  expect(await cycleInvoices(invoices, booklet)).toMatchObject(
    Array.from({ length: 2 }, () => ({ fine: { startsAfterDays: 8 }, interest: { startsAfterDays: 8 } })),
  )
})
