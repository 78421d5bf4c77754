import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { BOLETOS } from '../../src/boletos/store/boleto-store'
import { moveClock, now } from '../../src/clock/billing-clock'
import { oldestPendingAge } from '../../src/invoice/store/transaction-store'
import { oldestComparisonAge } from '../../src/books/comparison-store'
import { compareBooks } from '../../src/books/compare-books'
import { create, get, invoiceFor, newShop, voidInvoice } from '../support/invoices'
import {
  answerAsUsual,
  arriveLate,
  chargeOf,
  declines,
  holds,
  pay,
  resolveLater,
  staysSilent,
} from '../support/payments'
import {
  issue,
  newInvoice,
  noticeOf,
  receive,
  startBoletos,
  tell,
  unexpected,
  type TestBoletos,
} from '../support/start-boletos'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** When the charges were last changed: long ago, so that their events have arrived. */
const LONG_AGO = Date.now() - 30 * DAY_MS

let boletos: TestBoletos
let told: jest.SpyInstance
beforeAll(async () => {
  boletos = await startBoletos()
})
beforeEach(() => {
  answerAsUsual(boletos)
  boletos.bank.slips.clear()
  boletos.behind.orders.hooks.outcome = (charge) => ({ ...charge, updatedAt: LONG_AGO })
  told = jest.spyOn(boletos.deps.log, 'error')
})
afterEach(() => {
  told.mockRestore()
  moveClock(0)
})
afterAll(() => boletos.stop())

const TABLES = ['invoice_transactions', 'boletos']

/** Compares everything of an invoice at once. Returns the logged violations. */
async function compare({ id }: Pick<Invoice, 'id'>): Promise<object[]> {
  for (const table of TABLES) {
    await boletos.pool.query(`UPDATE ${table} SET compare_at = NULL WHERE invoice_id <> $1`, [id])
    await boletos.pool.query(
      `UPDATE ${table} SET compare_at = now() - interval '1 second' WHERE invoice_id = $1`,
      [id],
    )
  }
  told.mockClear()
  await compareBooks(boletos.deps)
  return told.mock.calls.map(([facts]) => facts)
}

/** In how many hours each payment of an invoice is compared again; null: never again. */
async function nextOf(table: string, { id }: Pick<Invoice, 'id'>): Promise<(number | null)[]> {
  const { rows } = await boletos.pool.query(
    `SELECT round(extract(epoch FROM compare_at - now()) / 3600)::int AS hours FROM ${table} WHERE invoice_id = $1`,
    [id],
  )
  return rows.map(({ hours }) => hours)
}

async function newPayable(): Promise<Invoice> {
  return create(boletos, invoiceFor(await newShop(boletos)))
}

async function paidByCard(): Promise<Invoice> {
  const invoice = await newPayable()
  await pay(boletos, invoice)
  return get(boletos, invoice)
}

async function paidByBoleto(amount = 9_980): Promise<Invoice> {
  const invoice = await newInvoice(boletos)
  await issue(boletos, invoice)
  const slip = boletos.bank.only
  await tell(boletos, noticeOf(slip.nossoNumero, receive(slip, amount)))
  return get(boletos, invoice)
}

/** Changes the invoice's charge in the books of orders. */
const plant = (invoice: Invoice, changes: Partial<Charge>) =>
  chargeOf(boletos, invoice, (charge) => ({ ...charge, ...changes }))

const violation = (invariant: string, { id: invoiceId }: Invoice, ...differences: string[]) =>
  expect.objectContaining({ invariant, invoiceId, differences })

describe('books that agree log nothing:', () => {
  test.each<[string, () => Promise<Invoice>]>([
    ['paid by card', paidByCard],
    [
      'declined',
      async () => {
        boletos.behind.orders.hooks.outcome = (charge) => declines({ ...charge, updatedAt: LONG_AGO })
        const invoice = await newPayable()
        await pay(boletos, invoice)
        return invoice
      },
    ],
    ['paid by boleto', () => paidByBoleto()],
    ['paid with too much', () => paidByBoleto(10_000)],
    ['paid with too little', () => paidByBoleto(9_000)],
    ['neither', newPayable],
  ])('%s', async (_how, make) => {
    const invoice = await make()
    expect(await compare(invoice)).toEqual([])
  })
})

test('a refund that the payment shows agrees; one, or a dispute, that it does not show is a difference', async () => {
  const invoice = await paidByCard()
  await boletos.pool.query('UPDATE invoice_transactions SET refunded = 2500 WHERE invoice_id = $1', [
    invoice.id,
  ])
  plant(invoice, { refundedAmount: 2_500 })
  expect(await compare(invoice)).toEqual([])
  plant(invoice, { refundedAmount: 2_600, disputedAmount: 1 })
  expect(await compare(invoice)).toEqual([violation('orders-agree', invoice, 'refunded', 'disputed')])
})

test('captured money that orders lack, or that they have or hold for a failed payment, is a difference', async () => {
  const paid = await paidByCard()
  for (const capturedAmount of [9_979, 9_981]) {
    plant(paid, { capturedAmount })
    expect(await compare(paid)).toEqual([violation('orders-agree', paid, 'captured')])
  }

  boletos.behind.orders.hooks.outcome = (charge) => declines({ ...charge, updatedAt: LONG_AGO })
  const declined = await newPayable()
  await pay(boletos, declined)
  plant(declined, { capturedAmount: 9_980 })
  expect(await compare(declined)).toEqual([violation('orders-agree', declined, 'captured')])
  const { status } = holds(chargeOf(boletos, declined))
  plant(declined, { capturedAmount: 0, status })
  expect(await compare(declined)).toEqual([violation('orders-agree', declined, 'held')])
})

test('a charge that orders do not know is a difference', async () => {
  const invoice = await paidByCard()
  boletos.behind.orders.charges.delete(chargeOf(boletos, invoice).id)
  expect(await compare(invoice)).toEqual([violation('orders-agree', invoice, 'captured')])
})

test('a charge that was made after its payment was given up is a difference', async () => {
  boletos.behind.orders.hooks.before = async () => {
    throw new Error('nothing was done')
  }
  const invoice = await newPayable()
  await pay(boletos, invoice)
  await resolveLater(boletos)
  // At the last look nothing was there.
  await resolveLater(boletos, 600_000)
  expect(await compare(invoice)).toEqual([])
  await arriveLate(boletos, invoice)
  expect(await compare(invoice)).toEqual([violation('orders-agree', invoice, 'captured')])
})

test('an amount on an invoice that its payments did not bring is a difference', async () => {
  const invoice = await paidByCard()
  const less = 'UPDATE invoice_transactions SET payable = payable - 1 WHERE invoice_id = $1'
  await boletos.pool.query(less, [invoice.id])
  expect(await compare(invoice)).toEqual([violation('orders-agree', invoice, 'paid')])
})

test('a payment that is pending, or has just changed, is compared an hour later', async () => {
  boletos.behind.orders.hooks.outcome = staysSilent
  const pending = await newPayable()
  await pay(boletos, pending)
  expect([await compare(pending), await nextOf('invoice_transactions', pending)]).toEqual([[], [1]])
  const fresh = await newPayable()
  boletos.behind.orders.hooks.outcome = (charge) => ({ ...charge, updatedAt: Date.now() })
  await pay(boletos, fresh)
  plant(fresh, { refundedAmount: 100 })
  expect([await compare(fresh), await nextOf('invoice_transactions', fresh)]).toEqual([[], [1]])
  await resolveLater(boletos)
})

test('money that the bank does not know, or knows as another amount, is a difference', async () => {
  const invoice = await paidByBoleto()
  const [payment] = boletos.bank.only.pagamentos.splice(0)
  expect(await compare(invoice)).toContainEqual(
    violation('bank-agrees', invoice, 'money that the bank does not know'),
  )
  if (payment) boletos.bank.only.pagamentos.push({ ...payment, valorPago: 99.81 })
  expect(await compare(invoice)).toEqual([violation('bank-agrees', invoice, 'another amount')])
  boletos.bank.slips.clear()
  expect(await compare(invoice)).toEqual([
    violation('bank-agrees', invoice, 'money that the bank does not know'),
  ])
})

test('money that the bank never reported is taken whenever found; days later it is also a difference', async () => {
  const invoice = await paidByBoleto()
  receive(boletos.bank.only, 700)
  expect(await compare(invoice)).toEqual([])
  expect(await unexpected(boletos, invoice)).toMatchObject([{ receivedAmount: 700 }])
  receive(boletos.bank.only, 800, Date.now() - 5 * DAY_MS)
  expect(await compare(invoice)).toEqual([violation('bank-agrees', invoice, 'money that we did not know')])
  expect(await unexpected(boletos, invoice)).toHaveLength(2)
  expect(await compare(invoice)).toEqual([])
})

test('a withdrawn slip that the bank would still take is a difference', async () => {
  const invoice = await newInvoice(boletos)
  await issue(boletos, invoice)
  await voidInvoice(boletos, invoice)
  expect(await compare(invoice)).toEqual([])
  await boletos.pool.query('UPDATE boletos SET withdrawing = false WHERE invoice_id = $1', [invoice.id])
  expect(await compare(invoice)).toEqual([violation('bank-agrees', invoice, 'it can still be paid')])
})

test('receipts that do not add up to a payment by boleto are a difference', async () => {
  const invoice = await paidByBoleto(10_000)
  await boletos.pool.query('UPDATE receipts SET open_amount = 19 WHERE invoice_id = $1', [invoice.id])
  expect(await compare(invoice)).toEqual([violation('orders-agree', invoice, 'receipts')])
})

test('books that agree are compared a day later, and in the end no more; a difference is logged each day', async () => {
  const invoice = await paidByCard()
  await compare(invoice)
  const changed = (days: number) =>
    boletos.pool.query(
      `UPDATE invoice_transactions SET updated_at = now() - $2 * interval '1 day' WHERE invoice_id = $1`,
      [invoice.id, days],
    )
  expect(await nextOf('invoice_transactions', invoice)).toEqual([1])
  for (const [days, hours] of [
    [0.5, 12],
    [8, 22 * 24],
    [91, null],
  ] as const) {
    await changed(days)
    await compare(invoice)
    expect([days, await nextOf('invoice_transactions', invoice)]).toEqual([days, [hours]])
  }
  plant(invoice, { refundedAmount: 1 })
  await compare(invoice)
  expect(await nextOf('invoice_transactions', invoice)).toEqual([24])
})

test('two replicas compare each payment once; when orders are away, they try again an hour later', async () => {
  const invoice = await paidByCard()
  await boletos.pool.query(
    `UPDATE invoice_transactions SET compare_at = now() - interval '1 second' WHERE invoice_id = $1`,
    [invoice.id],
  )
  const counts = await Promise.all([compareBooks(boletos.deps), compareBooks(boletos.deps)])
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(1)
  const away = {
    ...boletos.deps,
    orders: { ...boletos.deps.orders, readBook: () => Promise.reject(new Error('away')) },
  }
  await boletos.pool.query(
    `UPDATE invoice_transactions SET compare_at = now() - interval '1 second' WHERE invoice_id = $1`,
    [invoice.id],
  )
  await compareBooks(away)
  expect(await nextOf('invoice_transactions', invoice)).toEqual([1])
})

test('books are compared by the billing clock, and no age is negative after it moved', async () => {
  moveClock(20 * DAY_MS)
  const invoice = await paidByCard()
  const inHours = async () =>
    (await nextOf('invoice_transactions', invoice)).map((hours) => Number(hours) - (20 * DAY_MS) / HOUR_MS)
  expect(await inHours()).toEqual([1])
  moveClock(20 * DAY_MS + HOUR_MS)
  await compareBooks(boletos.deps)
  expect(await inHours()).toEqual([24])

  boletos.behind.orders.hooks.outcome = staysSilent
  await pay(boletos, await newPayable())
  boletos.bank.next('register', 'answer_lost')
  await issue(boletos, await newInvoice(boletos))
  for (const ageOf of [oldestPendingAge, BOLETOS.oldestPendingAge, oldestComparisonAge]) {
    const age = await ageOf(boletos.pool, now())
    expect(age).toBeGreaterThanOrEqual(0)
  }
  await resolveLater(boletos)
})
