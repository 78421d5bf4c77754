import { callRpc } from '@cofre/platform/grpc/client'
import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import {
  BillingFrequency,
  CollectionMethod,
  InvoiceTerms,
  RecurringInvoiceStatus,
} from '@cofre/proto/invoices/v1/recurring'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import { create, invoiceFor, newShop, type Shop } from '../support/invoices'
import { withKey } from '../support/repeated'
import { bookletFor, createBooklet, createBookletAgain, shopAtBank, slipsOf } from '../support/start-booklets'
import { look, startBoletos, type TestBoletos } from '../support/start-boletos'

let boletos: TestBoletos
let shop: Shop
beforeAll(async () => {
  boletos = await startBoletos()
})
afterAll(() => boletos.stop())
beforeEach(async () => {
  boletos.bank.slips.clear()
  boletos.bank.calls.length = 0
  shop = await shopAtBank(boletos)
})

const NEXT_YEAR = new Date().getFullYear() + 1
const JANUARY_31 = startOf(`${NEXT_YEAR}-01-31`)
const accepting = (...methods: PaymentMethod[]) =>
  InvoiceTerms.fromPartial({ acceptedMethods: methods.map((method) => ({ method })) })
/** How many slips there are in each state. */
const counted = (values: readonly (string | null)[]) =>
  Object.fromEntries(
    [...new Set(values)].map((each) => [String(each), values.filter((one) => one === each).length]),
  )
const eventsOf = async () => {
  const { rows } = await boletos.pool.query(
    "SELECT type, (value::json->>'sequence')::int AS sequence FROM outbox WHERE seller_id = $1 ORDER BY id",
    [shop.sellerId],
  )
  return rows as { type: string; sequence: number }[]
}

test('all invoices are made, finalized and registered at once; the booklet is FINISHED', async () => {
  const request = bookletFor(shop, { billingCycleStartDate: JANUARY_31 })
  const booklet = await createBooklet(boletos, request)
  expect(booklet).toMatchObject({ status: RecurringInvoiceStatus.FINISHED, cyclesBilled: 12, charges: 12 })
  expect([booklet.nextCycleDate, booklet.nextCycleDueDate]).toEqual([undefined, undefined])
  const slips = await slipsOf(boletos, booklet)
  expect(counted(slips.map(({ invoice, boleto }) => `${invoice} ${boleto}`))).toEqual({
    'CLOSED REGISTERED': 12,
  })
  const days = slips.map(({ dueDay }) => dueDay)
  // Counted from the anchor: February has its last day, March the 31st again.
  expect(days.slice(1, 4)).toEqual(['03-05', '04-05', '05-05'].map((day) => `${NEXT_YEAR}-${day}`))
  expect(days.at(-1)).toBe(`${NEXT_YEAR + 1}-01-05`)
  expect(boletos.bank.slips.size).toBe(12)
})

test.each(['no day', 'today'])('the first cycle is today’s when the request names %s', async (named) => {
  const today = dayOf(Date.now())
  const start = named === 'today' ? { billingCycleStartDate: startOf(today) } : {}
  const booklet = await createBooklet(boletos, bookletFor(shop, { charges: 1, daysUntilDue: 0, ...start }))
  expect((await slipsOf(boletos, booklet)).map(({ dueDay }) => dueDay)).toEqual([today])
})

test('sellers get the events of the booklet, of each invoice, and of each cycle, in order', async () => {
  await createBooklet(boletos, bookletFor(shop, { charges: 3 }))
  const told = await eventsOf()
  const ofCycle = ['invoice.created', 'invoice.finalized', 'recurring_invoice.cycle_billed']
  expect(told.map(({ type }) => type)).toEqual([
    'recurring_invoice.created',
    ...ofCycle,
    ...ofCycle,
    ...ofCycle,
  ])
  const ofBooklet = told.filter(({ type }) => type.startsWith('recurring_invoice'))
  expect(ofBooklet.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
})

test('120 slips take few statements, and skip the numbers that the seller gave itself', async () => {
  await create(boletos, invoiceFor(shop, { invoiceNumber: '000003' }))
  const booklet = await createBooklet(
    boletos,
    bookletFor(shop, { charges: 120, frequency: BillingFrequency.WEEKLY }),
  )
  const slips = await slipsOf(boletos, booklet)
  expect(counted(slips.map(({ boleto }) => boleto))).toEqual({ REGISTERED: 120 })
  const { rows } = await boletos.pool.query(
    'SELECT invoice_number AS number FROM invoices WHERE recurring_invoice_id = $1 ORDER BY cycle',
    [booklet.id],
  )
  expect(rows.slice(0, 4).map(({ number }) => number)).toEqual(['000001', '000002', '000004', '000005'])
  expect(new Set(rows.map(({ number }) => number)).size).toBe(120)
})

test('a booklet whose last slips no barcode could say is refused, and made without boletos', async () => {
  const yearly = { frequency: BillingFrequency.YEARLY }
  await expect(createBooklet(boletos, bookletFor(shop, { ...yearly, charges: 20 }))).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: {
      errors: [{ pointer: '#/chargesByBooklet', code: 'MAX', detail: expect.stringContaining('5500 days') }],
    },
  })
  expect(await eventsOf()).toEqual([])
  const longest = await createBooklet(boletos, bookletFor(shop, { ...yearly, charges: 15 }))
  expect(counted((await slipsOf(boletos, longest)).map(({ boleto }) => boleto))).toEqual({ REGISTERED: 15 })
  const terms = accepting(PaymentMethod.CREDIT_CARD)
  const ofCards = await createBooklet(boletos, bookletFor(shop, { ...yearly, terms, charges: 120 }))
  expect(counted((await slipsOf(boletos, ofCards)).map(({ boleto }) => boleto))).toEqual({ null: 120 })
})

test('the slips of a booklet keep the day of the month of the first due date', async () => {
  const start = { billingCycleStartDate: startOf(`${NEXT_YEAR}-01-18`), daysUntilDue: 13, charges: 5 }
  const booklet = await createBooklet(boletos, bookletFor(shop, start))
  const { rows } = await boletos.pool.query<{ dueDate: Date }>(
    'SELECT due_date AS "dueDate" FROM invoices WHERE recurring_invoice_id = $1 ORDER BY cycle',
    [booklet.id],
  )
  const days = rows.map(({ dueDate }) => dayOf(dueDate.getTime()).slice(5))
  expect([days[0], days[2], days[3], days[4]]).toEqual(['01-31', '03-31', '04-30', '05-31'])
  expect(days[1]).toMatch(/^02-2[89]$/)
})

test('a booklet of cards only has invoices without boletos', async () => {
  const terms = accepting(PaymentMethod.CREDIT_CARD)
  const booklet = await createBooklet(boletos, bookletFor(shop, { terms, charges: 2 }))
  expect(await slipsOf(boletos, booklet)).toMatchObject([{ boleto: null }, { boleto: null }])
})

test('without an account at a bank, a booklet has no boletos; one that asks for them is refused', async () => {
  const bankless = await newShop(boletos)
  const booklet = await createBooklet(boletos, bookletFor(bankless, { charges: 2 }))
  expect(await slipsOf(boletos, booklet)).toMatchObject([{ boleto: null }, { boleto: null }])
  const terms = accepting(PaymentMethod.CREDIT_CARD, PaymentMethod.BOLETO)
  await expect(createBooklet(boletos, bookletFor(bankless, { terms }))).rejects.toMatchObject({
    reason: 'PAYMENT_METHOD_NOT_ACCEPTED',
  })
})

test('each invoice of an automatic booklet waits for its card, or until a card is kept', async () => {
  const automatic = { collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY, charges: 2 }
  const statuses = async (id: number) =>
    (
      await boletos.pool.query(
        'SELECT a.status FROM automatic_charges a JOIN invoices i ON i.id = a.invoice_id WHERE i.recurring_invoice_id = $1',
        [id],
      )
    ).rows.map(({ status }) => status)
  const { id } = await createBooklet(boletos, bookletFor(shop, automatic))
  expect(await statuses(id)).toEqual(['NEEDS_CARD', 'NEEDS_CARD'])
  await boletos.pool.query('UPDATE customers SET kept_card_id = 7 WHERE id = $1', [shop.customerId])
  const kept = await createBooklet(boletos, bookletFor(shop, automatic))
  expect(await statuses(kept.id)).toEqual(['WAITING', 'WAITING'])
})

test('a cancelled booklet stops its automatic charges, and its slips can still be paid', async () => {
  const { recurring } = boletos
  const automatic = { collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY, charges: 3 }
  const { id: recurringInvoiceId } = await createBooklet(boletos, bookletFor(shop, automatic))
  const key = { sellerId: shop.sellerId, recurringInvoiceId }
  const cancel = () => callRpc(recurring, recurring.cancelRecurringInvoice, key)
  const answers = await Promise.all([cancel(), cancel(), cancel()])
  expect(answers.map(({ status }) => status)).toEqual(Array(3).fill(RecurringInvoiceStatus.CANCELLED))
  expect(await cancel()).toEqual(answers[0])
  const { rows } = await boletos.pool.query(
    `SELECT DISTINCT a.status, a.reason, i.status AS invoice, b.status AS slip FROM automatic_charges a
       JOIN invoices i ON i.id = a.invoice_id JOIN boletos b ON b.invoice_id = i.id WHERE i.recurring_invoice_id = $1`,
    [recurringInvoiceId],
  )
  expect(rows).toEqual([
    { status: 'STOPPED', reason: 'RECURRING_INVOICE_CANCELLED', invoice: 'CLOSED', slip: 'REGISTERED' },
  ])
})

test.each([
  ['no charge', { charges: 0 }, '#/chargesByBooklet'],
  ['121 charges', { charges: 121 }, '#/chargesByBooklet'],
  ['no item', { recurringItem: undefined }, '#/recurringItem'],
  [
    'a discount of all',
    { terms: InvoiceTerms.fromPartial({ discounts: [{ amountInCents: 9_980 }] }) },
    '#/discounts/0/amountInCents',
  ],
  ['no frequency', { frequency: BillingFrequency.UNSPECIFIED }, '#/billingFrequency'],
  ['366 days', { daysUntilDue: 366 }, '#/daysUntilDue'],
  [
    'a total above the limit',
    { recurringItem: { productId: 1, quantity: 2, unitPriceInCents: 99_999_999_999 } },
    '#/recurringItem',
  ],
])('%s is refused, with a pointer to it', async (_what, changes, pointer) => {
  await expect(createBooklet(boletos, bookletFor(shop, changes))).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer }] },
  })
})

test('a first cycle in the past is refused, with a pointer to it', async () => {
  const request = bookletFor(shop, { billingCycleStartDate: startOf(dayOf(Date.now())) - 1 })
  await expect(createBooklet(boletos, request)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer: '#/billingCycleStartDate' }] },
  })
})

test('a booklet with records that the seller does not have is refused, and nothing is made', async () => {
  const recurringItem = { productId: 987_654_321, quantity: 1, unitPriceInCents: 1 }
  const request = bookletFor(shop, {
    customerId: 987_654_321,
    recurringItem,
    collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY,
    cardId: 987_654_321,
  })
  await expect(createBooklet(boletos, request)).rejects.toMatchObject({
    reason: 'REFERENCE_NOT_FOUND',
    extra: {
      errors: [
        { pointer: '#/customerId' },
        { pointer: '#/cardId' },
        { pointer: '#/recurringItem/productId' },
      ],
    },
  })
  const splits = [{ recipientId: 1, amountInCents: 9_981 }]
  const terms = InvoiceTerms.fromPartial({ splits })
  await expect(createBooklet(boletos, bookletFor(shop, { terms }))).rejects.toMatchObject({
    reason: 'SPLIT_EXCEEDS_TOTAL',
  })
  expect(await eventsOf()).toEqual([])
})

test('a repeated key gets the same booklet; ten requests at once make one, or one for each key', async () => {
  const request = bookletFor(shop, { charges: 3 })
  const first = await withKey('b1', () => createBookletAgain(boletos, request))
  expect(await withKey('b1', () => createBookletAgain(boletos, request))).toEqual({
    ...first,
    replayed: true,
  })
  const raced = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) =>
      withKey(`b${2 + (at % 2)}`, () => createBookletAgain(boletos, request)),
    ),
  )
  const ids = raced.flatMap((each) => (each.status === 'fulfilled' ? [each.value.response.id] : []))
  expect(new Set(ids).size).toBe(2)
  const { rows } = await boletos.pool.query(
    'SELECT count(*)::int AS invoices, count(DISTINCT invoice_number)::int AS numbers FROM invoices WHERE seller_id = $1',
    [shop.sellerId],
  )
  expect(rows).toEqual([{ invoices: 9, numbers: 9 }])
  expect(boletos.bank.slips.size).toBe(9)
})

test('when the bank is silent, refuses or is away, the booklet stands, and is resolved by itself', async () => {
  boletos.bank.next(
    'register',
    'answer_lost',
    { status: 422, body: { erro: 'PAGADOR_INVALIDO' } },
    'http_500',
  )
  const booklet = await createBooklet(boletos, bookletFor(shop))
  expect(counted((await slipsOf(boletos, booklet)).map(({ boleto }) => boleto))).toEqual({
    REGISTERED: 9,
    PENDING: 2,
    REFUSED: 1,
  })
  await untilResolved()
  expect(counted((await slipsOf(boletos, booklet)).map(({ boleto }) => boleto))).toEqual({
    REGISTERED: 11,
    REFUSED: 1,
  })
  expect(boletos.bank.slips.size).toBe(11)
})

test('when a process dies after its commit, and the bank is away, the sweeper registers each slip once', async () => {
  await boletos.bank.stop()
  const booklet = await createBooklet(boletos, bookletFor(shop))
  expect(counted((await slipsOf(boletos, booklet)).map(({ boleto }) => boleto))).toEqual({ PENDING: 12 })
  await boletos.bank.start()
  await untilResolved()
  expect(counted((await slipsOf(boletos, booklet)).map(({ boleto }) => boleto))).toEqual({ REGISTERED: 12 })
  expect(boletos.bank.slips.size).toBe(12)
})

/** Lets the time pass after which the bank's silence proves something, and looks. */
async function untilResolved(): Promise<void> {
  await boletos.pool.query(
    "UPDATE boletos SET dispatch_deadline = now() - interval '1 second', ask_at = now() - interval '1 second' WHERE status = 'PENDING'",
  )
  await look(boletos)
}
