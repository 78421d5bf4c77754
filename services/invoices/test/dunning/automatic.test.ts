import { AutomaticChargeStatus, InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { CredentialReason, DeclineAdvice, Initiator, type Decline } from '@cofre/proto/orders/v1/orders'
import { newToken } from '@cofre/testing/stand-ins/network-tokens'
import {
  billedInvoice,
  chargeDue,
  declineWith,
  followAll,
  keep,
  type Billed,
  stopCharging,
} from '../support/dunning'
import { create, DAY_MS, get, invoiceFor, voidInvoice } from '../support/invoices'
import { answerAsUsual, eventsSent, PAN, pay, receiptsOf } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING, PAID, NEEDS_CARD, GIVEN_UP, STOPPED } = AutomaticChargeStatus
const { MERCHANT: initiator } = Initiator
const MERCHANTS = { initiator, reason: CredentialReason.RECURRING, exemptFromTestingGuard: true }

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const outcome = (changes: Partial<Decline>) => {
  invoices.behind.orders.hooks.outcome = declineWith(changes)
}
const mailsOf = async ({ invoice }: Billed): Promise<string[]> => {
  const { rows } = await invoices.pool.query('SELECT cause FROM emails WHERE invoice_id = $1 ORDER BY id', [
    invoice.id,
  ])
  return rows.map(({ cause }) => cause)
}
const failuresTold = async (invoice: Invoice) =>
  (await eventsSent(invoices, invoice)).filter((type) => type === 'invoice.payment_failed').length

test('the kept card is charged on the due day, once, and not before', async () => {
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt - 1)
  expect((await get(invoices, billed.invoice)).automaticCharge).toEqual({
    status: WAITING,
    attempts: 0,
    nextAttemptAt: billed.dueAt,
    reason: '',
  })
  await chargeDue(invoices, billed.dueAt)
  await chargeDue(invoices, billed.dueAt + DAY_MS)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    automaticCharge: { status: PAID, attempts: 1, nextAttemptAt: undefined },
    charge: { transactions: [{ createdAt: billed.dueAt }] },
  })
  expect(await receiptsOf(invoices, billed.invoice)).toBe(1)
  expect(invoices.behind.orders.asked.authorize.at(-1)).toMatchObject(MERCHANTS)
})

const FINAL = { retryable: false, advice: DeclineAdvice.USE_ANOTHER_CARD }

test.each([
  ['Visa 05', 'VISA', {}, [0, 1, 3, 5, 7], GIVEN_UP],
  [
    'Visa 51: longer gaps',
    'VISA',
    { code: 'INSUFFICIENT_FUNDS', acquirerCode: '51' },
    [0, 3, 5, 7],
    GIVEN_UP,
  ],
  [
    'Visa 14, category 1',
    'VISA',
    { code: 'INVALID_CARD_NUMBER', acquirerCode: '14', ...FINAL },
    [0],
    GIVEN_UP,
  ],
  ['Visa 54, expired', 'VISA', { code: 'EXPIRED_CARD', acquirerCode: '54', ...FINAL }, [0], GIVEN_UP],
  ['Mastercard 02: 72 hours', 'MASTERCARD', { adviceCode: '02' }, [0, 3, 7], GIVEN_UP],
  ['Mastercard 24: an hour', 'MASTERCARD', { adviceCode: '24' }, [0, 1, 3, 5, 7], GIVEN_UP],
  ['Mastercard 28: six days', 'MASTERCARD', { adviceCode: '28' }, [0, 7], GIVEN_UP],
  ['Mastercard 30: ten days', 'MASTERCARD', { adviceCode: '30' }, [0, 10], GIVEN_UP],
  ['Mastercard 03: never', 'MASTERCARD', { adviceCode: '03' }, [0], GIVEN_UP],
  ['Mastercard 21: cancelled', 'MASTERCARD', { adviceCode: '21' }, [0], GIVEN_UP],
  ['Mastercard 41: one use', 'MASTERCARD', { adviceCode: '41' }, [0], GIVEN_UP],
  ['Elo 05', 'ELO', {}, [0, 1, 3, 5, 7], GIVEN_UP],
  ['another brand, final', 'AMEX', { acquirerCode: '200', ...FINAL }, [0], GIVEN_UP],
] as const)('tries: %s', async (_name, brand, decline, days, status) => {
  outcome(decline)
  const billed = await billedInvoice(invoices, { card: { brand } })
  const { days: made, ended } = await followAll(invoices, billed, 14)
  expect(made).toEqual(days)
  expect(ended).toMatchObject({
    status: InvoiceStatus.CLOSED,
    pastDue: true,
    automaticCharge: { status, attempts: days.length, nextAttemptAt: undefined },
  })
  expect(await mailsOf(billed)).toEqual([...(days.length > 1 ? ['retry-planned'] : []), 'card-declined'])
})

test('a card that recovers at the third try pays, with one receipt; each decline shows and has an event', async () => {
  outcome({})
  const billed = await billedInvoice(invoices)
  const shown: object[] = []
  for (const day of [0, 1]) {
    await chargeDue(invoices, billed.dueAt + day * DAY_MS)
    shown.push((await get(invoices, billed.invoice)).automaticCharge ?? {})
  }
  answerAsUsual(invoices)
  const { days, ended } = await followAll(invoices, billed, 10)
  expect(shown).toEqual([
    { status: WAITING, attempts: 1, nextAttemptAt: billed.dueAt + DAY_MS, reason: 'DO_NOT_HONOR' },
    { status: WAITING, attempts: 2, nextAttemptAt: billed.dueAt + 3 * DAY_MS, reason: 'DO_NOT_HONOR' },
  ])
  expect(days).toEqual([0, 1, 3])
  expect(ended).toMatchObject({ status: InvoiceStatus.PAID, automaticCharge: { status: PAID, attempts: 3 } })
  expect(await mailsOf(billed)).toEqual(['retry-planned', 'receipt'])
  expect(await eventsSent(invoices, billed.invoice)).toEqual([
    'invoice.created',
    'invoice.finalized',
    'invoice.payment_failed',
    'invoice.payment_failed',
    'invoice.paid',
  ])
})

test('the event of a decline has its reason and the next attempt', async () => {
  outcome({ code: 'INSUFFICIENT_FUNDS', acquirerCode: '51' })
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  const { rows } = await invoices.pool.query(
    `SELECT value FROM outbox WHERE key = $1 AND type = 'invoice.payment_failed'`,
    [String(billed.invoice.id)],
  )
  expect(JSON.parse(rows[0]?.value).invoice.automaticCharge).toEqual({
    status: 'AUTOMATIC_CHARGE_STATUS_WAITING',
    attempts: 1,
    nextAttemptAt: billed.dueAt + 3 * DAY_MS,
    reason: 'INSUFFICIENT_FUNDS',
  })
})

test('at the end the invoice is uncollectible if the seller chose so', async () => {
  outcome({})
  const billed = await billedInvoice(invoices, { givesUp: true })
  const { ended } = await followAll(invoices, billed, 10)
  expect(ended).toMatchObject({
    status: InvoiceStatus.UNCOLLECTIBLE,
    automaticCharge: { status: GIVEN_UP, attempts: 5, reason: 'DO_NOT_HONOR' },
  })
  expect((await eventsSent(invoices, billed.invoice)).slice(-2)).toEqual([
    'invoice.payment_failed',
    'invoice.uncollectible',
  ])
})

test('an invoice without a card waits for one until the last day, and is not charged before the due day', async () => {
  const billed = await billedInvoice(invoices, { card: null, givesUp: true })
  await chargeDue(invoices, billed.dueAt - 5 * DAY_MS)
  await keep(invoices, billed.shop, invoices.behind.vault.store(billed.shop.sellerId, PAN).id)
  await chargeDue(invoices, billed.dueAt - DAY_MS)
  expect(await get(invoices, billed.invoice)).toMatchObject({ automaticCharge: { status: NEEDS_CARD } })
  await chargeDue(invoices, billed.dueAt)
  expect(await get(invoices, billed.invoice)).toMatchObject({ automaticCharge: { status: PAID } })

  const never = await billedInvoice(invoices, { card: null, givesUp: true })
  const { days, ended } = await followAll(invoices, never, 10)
  expect(days).toEqual([])
  expect(ended).toMatchObject({
    status: InvoiceStatus.CLOSED,
    automaticCharge: { status: GIVEN_UP, attempts: 0, reason: 'NO_CARD' },
  })
})

test('a refused card is not tried again; the customer’s other card is, on the next day of the schedule', async () => {
  outcome({ code: 'EXPIRED_CARD', acquirerCode: '54', ...FINAL })
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: NEEDS_CARD, attempts: 1, reason: 'EXPIRED_CARD' },
  })
  expect(await mailsOf(billed)).toEqual(['card-declined'])
  answerAsUsual(invoices)
  await chargeDue(invoices, billed.dueAt + DAY_MS)
  const { id: newCard, token } = invoices.behind.vault.store(billed.shop.sellerId, PAN)
  await keep(invoices, billed.shop, newCard)
  await chargeDue(invoices, billed.dueAt + 2 * DAY_MS)
  expect((await get(invoices, billed.invoice)).status).toBe(InvoiceStatus.CLOSED)
  await chargeDue(invoices, billed.dueAt + 3 * DAY_MS)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    status: InvoiceStatus.PAID,
    automaticCharge: { status: PAID, attempts: 2 },
  })
  expect(invoices.behind.orders.asked.authorize.at(-1)?.payments[0]).toMatchObject({ cardToken: token })
})

test.each([
  ['expired', { expirationYear: 2026, expirationMonth: 1 }, 'CARD_EXPIRED'],
  ['gone from the vault', undefined, 'CARD_REMOVED'],
] as const)('a card that is %s is not charged: another is asked for', async (_name, card, reason) => {
  const billed = await billedInvoice(invoices, card ? { card } : {})
  if (!card) invoices.behind.vault.remove(billed.cardId ?? 0)
  await chargeDue(invoices, billed.dueAt)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: NEEDS_CARD, attempts: 0, reason },
    charge: { transactions: [] },
  })
  expect(await failuresTold(billed.invoice)).toBe(1)
  expect(await mailsOf(billed)).toEqual(['card-declined'])
})

test.each([
  ['on the last day of the month in which it expires', '2027-03-31', { status: PAID, attempts: 1 }, 'VISA'],
  ['on the day after', '2027-04-01', { status: NEEDS_CARD, attempts: 0, reason: 'CARD_EXPIRED' }, 'VISA'],
  ['then, of a brand that the operator names', '2027-04-01', { status: PAID, attempts: 1 }, 'AMEX'],
])('a card that is charged %s', async (_when, day, expected, brand) => {
  const dueDate = Date.parse(`${day}T12:00:00-03:00`)
  const card = { brand, expirationYear: 2027, expirationMonth: 3 }
  const billed = await billedInvoice(invoices, { dueDate, card })
  await chargeDue(invoices, billed.dueAt)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject(expected)
})

test.each([
  ['good', {}],
  ['expired', { expirationYear: 2026, expirationMonth: 1 }],
])('a %s card that has a network token is charged by it', async (_name, card) => {
  const billed = await billedInvoice(invoices, { card })
  const { sellerId } = billed.shop
  const { token: cardToken } = [...invoices.behind.vault.cards.values()].at(-1)?.card ?? { token: '' }
  const { tokens } = invoices.behind.networkTokens
  const token = newToken({ token: 'ab'.repeat(32), sellerId, cardToken, status: NetworkTokenStatus.ACTIVE })
  tokens.set(token.token, token)
  await chargeDue(invoices, billed.dueAt)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: PAID, attempts: 1 },
  })
  const paidWith = invoices.behind.orders.asked.authorize.at(-1)?.payments[0]
  expect(paidWith).toMatchObject({ networkToken: token.token, cardToken: '' })
  tokens.clear()
})

test('an invoice that the customer pays by hand, or the seller voids, is not charged', async () => {
  const paid = await billedInvoice(invoices)
  await pay(invoices, paid.invoice)
  const voided = await billedInvoice(invoices)
  await voidInvoice(invoices, voided.invoice)
  await chargeDue(invoices, Math.max(paid.dueAt, voided.dueAt))
  expect(await get(invoices, paid.invoice)).toMatchObject({
    automaticCharge: { status: STOPPED, reason: 'INVOICE_PAID' },
    charge: { transactions: [{}] },
  })
  expect(await get(invoices, voided.invoice)).toMatchObject({
    automaticCharge: { status: STOPPED, reason: 'INVOICE_VOIDED' },
    charge: { transactions: [] },
  })
})

test('declines of other invoices with the card count: at the limit it is not charged any more', async () => {
  const billed = await billedInvoice(invoices, { card: { brand: 'MASTERCARD' } })
  const other = await create(invoices, invoiceFor(billed.shop))
  outcome({})
  await pay(invoices, other, { cardId: billed.cardId ?? 0 })
  await invoices.pool.query(
    `INSERT INTO invoice_transactions (seller_id, invoice_id, charge_id, type, status, amount, payable, decline, operation_id,
       dispatch_deadline, card_id, card_brand, give_back, created_at, updated_at)
     SELECT seller_id, invoice_id, charge_id, type, status, amount, payable, decline, gen_random_uuid(), dispatch_deadline,
       card_id, card_brand, give_back, $2, updated_at
     FROM invoice_transactions, generate_series(1, 34) WHERE invoice_id = $1`,
    [other.id, new Date(billed.dueAt - 3 * DAY_MS)],
  )
  const before = invoices.behind.orders.asked.authorize.length
  await chargeDue(invoices, billed.dueAt)
  expect(await get(invoices, billed.invoice)).toMatchObject({
    automaticCharge: { status: GIVEN_UP, attempts: 0, reason: 'BRAND_LIMIT' },
  })
  expect(invoices.behind.orders.asked.authorize).toHaveLength(before)
})
