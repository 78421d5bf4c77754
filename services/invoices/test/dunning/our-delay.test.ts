import { unavailable } from '@cofre/platform/errors'
import { Discount, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { billedInvoice, chargeDue, declineWith, stopCharging } from '../support/dunning'
import { DAY_MS, get } from '../support/invoices'
import { answerAsUsual } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

/** A Wednesday without holidays in the ten days around it. */
const DUE = Date.parse('2027-03-10T03:00:00Z')
/** 2 % once, 30 % a month: 1 % a day. */
const LATE = {
  fine: { percentageBps: 200, startsAfterDays: 1 },
  interest: { monthlyPercentageBps: 3_000, startsAfterDays: 1 },
}
const lateInvoice = (paysLateness = true) =>
  billedInvoice(invoices, { dueDate: DUE, terms: LATE, paysLateness })

async function amountsOf({ invoice }: Awaited<ReturnType<typeof lateInvoice>>) {
  const { status, paidAmount, charge } = await get(invoices, invoice)
  return { status, paidAmount, amounts: charge?.transactions.map(({ amount }) => amount) }
}

test('a card that is charged late through no fault of the customer pays neither fine nor interest', async () => {
  const billed = await lateInvoice()
  const { amount } = billed.invoice
  await chargeDue(invoices, billed.dueAt + 4 * DAY_MS)
  expect(await amountsOf(billed)).toEqual({
    status: InvoiceStatus.PAID,
    paidAmount: amount,
    amounts: [amount],
  })
})

test('while the acquirer is not reached, no customer is late', async () => {
  invoices.behind.orders.hooks.before = async () => {
    throw unavailable('The acquirer is away.')
  }
  const billed = await lateInvoice()
  const { amount } = billed.invoice
  for (let day = 0; day < 3; day += 1) await chargeDue(invoices, billed.dueAt + day * DAY_MS)
  answerAsUsual(invoices)
  await chargeDue(invoices, billed.dueAt + 4 * DAY_MS)
  expect(await amountsOf(billed)).toMatchObject({ status: InvoiceStatus.PAID, paidAmount: amount })
})

test('after a decline, days count from the first attempt when that came late', async () => {
  invoices.behind.orders.hooks.outcome = declineWith({})
  const [onTime, late] = [await lateInvoice(), await lateInvoice()]
  const { amount } = late.invoice
  const after = (days: number) => amount + Math.round(amount * 0.02) + Math.floor(amount * 0.01) * days
  await invoices.pool.query(`UPDATE automatic_charges SET next_attempt_at = $2 WHERE invoice_id = $1`, [
    late.invoice.id,
    new Date(late.dueAt + 4 * DAY_MS),
  ])
  for (let day = 0; day <= 5; day += 1) await chargeDue(invoices, late.dueAt + day * DAY_MS)
  expect((await amountsOf(late)).amounts).toEqual([amount, after(1)])
  expect((await amountsOf(onTime)).amounts).toEqual([amount, after(1), after(3), after(5)])
})

test('the acquirer is asked for the payable amount, with fine and interest', async () => {
  invoices.behind.orders.hooks.outcome = declineWith({})
  const billed = await lateInvoice()
  const { amount } = billed.invoice
  const late = amount + Math.round(amount * 0.02) + Math.floor(amount * 0.01)
  for (const day of [0, 1]) await chargeDue(invoices, billed.dueAt + day * DAY_MS)
  const asked = invoices.behind.orders.asked.authorize.filter(
    ({ sellerId }) => sellerId === billed.shop.sellerId,
  )
  expect(asked.map((order) => [order.amount, order.payments[0]?.amount])).toEqual([
    [amount, amount],
    [late, late],
  ])
})

test('unless the plan says otherwise each try asks for the agreed amount, and the rest is written off', async () => {
  invoices.behind.orders.hooks.outcome = declineWith({})
  const billed = await lateInvoice(false)
  const { amount, sellerId, id } = billed.invoice
  for (const day of [0, 1, 2]) await chargeDue(invoices, billed.dueAt + day * DAY_MS)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    payableAmount: amount + Math.round(amount * 0.02) + Math.floor(amount * 0.01) * 2,
  })
  answerAsUsual(invoices)
  await chargeDue(invoices, billed.dueAt + 3 * DAY_MS)
  expect(await amountsOf(billed)).toEqual({
    status: InvoiceStatus.PAID,
    paidAmount: amount,
    amounts: [amount, amount, amount],
  })
  const { rows } = await invoices.pool.query(
    'SELECT kind, reason, principal, fine, interest FROM movements WHERE seller_id = $1 AND invoice_id = $2 ORDER BY id',
    [sellerId, id],
  )
  const [fine, interest] = [Math.round(amount * 0.02), Math.floor(amount * 0.01) * 3]
  expect(rows).toEqual([
    { kind: 'PAYMENT', reason: null, principal: amount, fine: 0, interest: 0 },
    { kind: 'WRITE_OFF', reason: 'NOT_ASKED', principal: 0, fine, interest },
  ])
})

test.each([true, false])(
  'on the due date a card is asked for less; later no more (pays lateness: %s)',
  async (pays) => {
    const terms = { ...LATE, discounts: [Discount.fromPartial({ daysBeforeDueDate: 0, amountInCents: 200 })] }
    const billed = await billedInvoice(invoices, { dueDate: DUE, terms, paysLateness: pays })
    const { amount } = billed.invoice
    invoices.behind.orders.hooks.outcome = declineWith({})
    await chargeDue(invoices, billed.dueAt)
    answerAsUsual(invoices)
    const late = pays ? Math.round(amount * 0.02) + Math.floor(amount * 0.01) : 0
    await chargeDue(invoices, billed.dueAt + DAY_MS)
    expect((await amountsOf(billed)).amounts).toEqual([amount - 200, amount + late])
    const paid = await billedInvoice(invoices, { dueDate: DUE, terms, paysLateness: pays })
    await chargeDue(invoices, paid.dueAt)
    expect(await get(invoices, paid.invoice)).toMatchObject({
      status: InvoiceStatus.PAID,
      paidAmount: amount - 200,
      writtenOffAmount: 200,
    })
  },
)
