import { addDays, dayOf, endOf } from '@cofre/platform/calendar-day'
import { businessDayFrom, lastBusinessDayBy } from '@cofre/platform/business-day'
import { eventually } from '@cofre/testing/testing'
import { INVOICES, invoiceOf, move, newInvoice, newShop, read, readInvoice, write, type Shop } from './shop'
import { cardEndingIn, cardFields, discard, startSystem, type System } from './system'

const SETTLED_MS = 60_000
const DUE = businessDayFrom(addDays(dayOf(Date.now()), 20))
const LAST_DAY = lastBusinessDayBy(addDays(DUE, -5))
/** Of R$ 99.80: R$ 9.98 until five days before the due date, and R$ 2.00 until it. */
const terms = {
  dueDate: endOf(DUE),
  discounts: [
    { daysBeforeDueDate: 5, percentage: 10 },
    { daysBeforeDueDate: 0, amountInCents: 200 },
  ],
}

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem()
  shop = await newShop(system)
})
afterAll(async () => {
  await discard(system)
})

const bill = () => newInvoice(system, invoiceOf(shop, terms))

/** Has the bank of a method make its ask, and the payer pay what it costs now. */
const PAYERS: Record<string, (id: number) => Promise<unknown>> = {
  PIX: async (id) => {
    const { body } = await write(system, 'POST', `${INVOICES}/${id}/pix`)
    return system.sandbox('POST', '/pix/pay', { txid: body.txid })
  },
  BOLETO: async (id) => {
    const { body } = await write(system, 'POST', `${INVOICES}/${id}/boleto`)
    return system.sandbox('POST', `/boletos/${body.digitableLine}/pay`, {})
  },
  CREDIT_CARD: (id) =>
    write(system, 'POST', `${INVOICES}/${id}/credit-card/pay`, {
      body: { card: { ...cardFields(cardEndingIn(1)), cvv: '123' } },
    }),
}
const METHODS = Object.keys(PAYERS)

async function settle(method: string, discountInCents: number): Promise<void> {
  const { id, paymentUrl } = await bill()
  const payableInCents = 9_980 - discountInCents
  expect(await readInvoice(system, id)).toMatchObject({ discountInCents, payableInCents })
  const page = await (await fetch(`${paymentUrl}?lang=pt-BR`)).text()
  expect(page).toContain('Desconto até')
  await PAYERS[method]?.(id)
  await eventually(async () => {
    expect(await readInvoice(system, id)).toMatchObject({
      status: 'PAID',
      paidInCents: payableInCents,
      writtenOffInCents: discountInCents,
      balanceInCents: 0,
      charge: { method },
    })
  }, SETTLED_MS)
  const { body } = await read(system, `${INVOICES}/${id}/movements`)
  expect(body.content).toMatchObject([
    { kind: 'WRITE_OFF', reason: 'EARLY_PAYMENT_DISCOUNT', amountInCents: discountInCents },
    { kind: 'PAYMENT', method, amountInCents: payableInCents },
  ])
}

test.each(METHODS)('by %s in time, the discounted amount settles the invoice', (method) =>
  settle(method, 998),
)

test.each([
  ['all of the total', [{ daysBeforeDueDate: 0, amountInCents: 9_980 }], '#/discounts/0/amountInCents'],
  [
    'less for who is earlier',
    [
      { daysBeforeDueDate: 0, percentage: 5 },
      { daysBeforeDueDate: 3, percentage: 2.5 },
    ],
    '#/discounts/1/percentage',
  ],
])('a discount of %s is refused with its place', async (_what, discounts, pointer) => {
  const path = `/api/v2/sellers/${system.ready.sellerId}/invoices`
  const { status, body } = await write(system, 'POST', path, {
    body: invoiceOf(shop, { ...terms, discounts }),
  })
  expect([status, body.code, body.errors[0]]).toMatchObject([
    400,
    'VALIDATION_FAILED',
    { pointer, code: 'RANGE' },
  ])
})

test('a day later each method asks for the next discount, and after the due date for the whole', async () => {
  const late = await bill()
  // A draft would be issued, and fall due, on the day of its payment.
  expect((await move(system, late.id, 'finalize')).status).toBe(201)
  const to = (day: string) =>
    write(system, 'POST', '/api/v2/sandbox/clock/advance', { body: { to: endOf(day) - 3_600_000 } })
  expect((await to(addDays(LAST_DAY, 1))).status).toBe(200)
  for (const method of METHODS) await settle(method, 200)
  expect((await to(addDays(DUE, 1))).status).toBe(200)
  expect(await readInvoice(system, late.id)).toMatchObject({
    discountInCents: 0,
    discountUntil: null,
    payableInCents: 9_980,
  })
})
