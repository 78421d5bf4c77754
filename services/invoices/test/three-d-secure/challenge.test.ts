import {
  AcceptedMethod,
  InvoiceStatus,
  InvoiceTransactionStatus,
  PaymentMethod,
  type Invoice,
} from '@cofre/proto/invoices/v1/invoices'
import {
  CHALLENGED,
  discarded,
  finish,
  FRICTIONLESS,
  refusalOf,
  returned,
  start,
  statusesOf,
} from '../support/challenges'
import { create, get, invoiceFor, latestCharge, newShop, voidInvoice, type Shop } from '../support/invoices'
import { answerAsUsual, captures, chargeOf, declines, resolveLater, staysSilent } from '../support/payments'
import { SmallAuthenticationServer } from '../support/small-authentication-server'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CLOSED, OPEN, PAID } = InvoiceStatus
const server = new SmallAuthenticationServer()

let invoices: TestInvoices
let shop: Shop
let invoice: Invoice
beforeAll(async () => {
  invoices = await startInvoices({ partner: server })
})
beforeEach(async () => {
  server.faults.length = 0
  server.before = async () => {}
  answerAsUsual(invoices)
  shop = await newShop(invoices)
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

const charges = () =>
  [...invoices.behind.orders.charges.values()].filter(({ sellerId }) => sellerId === shop.sellerId)
const storedCards = async () => {
  const found = await Promise.all(
    (await invoices.pool.query('SELECT card_id FROM challenges WHERE seller_id = $1', [shop.sellerId])).rows,
  )
  return found.map(({ card_id }) => card_id)
}

const keptCards = async () => {
  const text = 'SELECT kept_card_id AS id, kept_card_is_ours AS "isOurs" FROM customers WHERE id = $1'
  return (await invoices.pool.query(text, [shop.customerId])).rows
}

test('without a challenge the payer is authenticated and pays at once', async () => {
  const { charge, challenge } = await start(invoices, invoice, FRICTIONLESS)
  expect([charge?.invoiceId, challenge]).toEqual([invoice.id, undefined])
  expect(await get(invoices, invoice)).toMatchObject({ status: PAID })
  expect(invoices.behind.orders.asked.authorize.at(-1)).toMatchObject({
    payments: [
      {
        card: { handle: FRICTIONLESS },
        authentication: { eci: '05', version: '2.2.0', authenticationValue: server.last.value },
      },
    ],
  })
  expect(await statusesOf(invoices, invoice)).toEqual([])
})

test('a challenge charges nothing until the payer is back; then the invoice is paid, and the card destroyed', async () => {
  const { charge, challenge } = await start(invoices, invoice, CHALLENGED, { installments: 2 })
  expect(charge).toBeUndefined()
  expect(challenge).toMatchObject({ invoiceId: invoice.id, url: `https://acs.example.com/${server.last.id}` })
  expect(server.last.asked).toMatchObject({
    card: { number: CHALLENGED, expiration: '12/2049' },
    amount: 9_980,
    merchantName: 'Loja Ana',
  })
  expect(await get(invoices, invoice)).toMatchObject({ status: OPEN })

  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('CHARGED')
  expect(await get(invoices, invoice)).toMatchObject({ status: PAID })
  expect(invoices.behind.orders.asked.authorize.at(-1)).toMatchObject({
    payments: [{ installments: 2, authentication: { authenticationValue: server.last.value } }],
  })
  expect(await discarded(invoices, shop.sellerId)).toEqual(await storedCards())
})

test('a payer who bears the fee agrees to it at the issuer, and pays it', async () => {
  const cardSettings = { maxInstallments: 12, feePassThrough: true, threeDSecure: true }
  const method = PaymentMethod.CREDIT_CARD
  const acceptedMethods = [AcceptedMethod.fromPartial({ method, cardSettings })]
  const borne = await create(invoices, invoiceFor(shop, { acceptedMethods }))
  await start(invoices, borne, CHALLENGED, { installments: 2 })
  expect(server.last.asked.amount).toBe(10_435)
  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('CHARGED')
  expect(charges()).toMatchObject([{ amount: 10_435, capturedAmount: 10_435 }])
  expect(await get(invoices, borne)).toMatchObject({ status: PAID, paidAmount: 9_980 })
})

test('no table holds the proof of an authentication', async () => {
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await finish(invoices, returned(server))
  const tables = ['challenges', 'invoice_transactions', 'idempotency', 'outbox', 'invoices']
  const rows = await Promise.all(tables.map((name) => invoices.pool.query(`SELECT t::text FROM ${name} t`)))
  const text = JSON.stringify(rows.map((result) => result.rows))
  expect(text).not.toContain(server.last.value)
  expect(text).not.toContain(CHALLENGED)
})

test('a stored card pays after its challenge, and stays', async () => {
  const { id: cardId } = invoices.behind.vault.store(shop.sellerId, CHALLENGED)
  await start(invoices, invoice, CHALLENGED, { cardId })
  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('CHARGED')
  expect(await discarded(invoices, shop.sellerId)).toEqual([])
})

test('a card that the customer keeps stays, and is the service’s to destroy later', async () => {
  await start(invoices, invoice, CHALLENGED, { keepCard: true })
  server.decide('AUTHENTICATED')
  await finish(invoices, returned(server))
  expect(await keptCards()).toEqual([{ id: (await storedCards())[0], isOurs: true }])
  expect(await discarded(invoices, shop.sellerId)).toEqual([])
})

test('what the payer agreed to before the challenge is kept with the card after it', async () => {
  const keepConsent = { language: 'en', text: 'Save this card', address: '203.0.113.7' }
  await start(invoices, invoice, CHALLENGED, { keepCard: true, keepConsent })
  server.decide('AUTHENTICATED')
  await finish(invoices, returned(server))
  const { rows } = await invoices.pool.query(
    'SELECT kept_card_consent AS consent FROM customers WHERE id = $1',
    [shop.customerId],
  )
  expect(rows).toEqual([{ consent: { ...keepConsent, givenAt: expect.any(Number) } }])
})

test('a card that the customer keeps stays when the acquirer answers after the end of the challenge', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  await start(invoices, invoice, CHALLENGED, { keepCard: true })
  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('CHARGED')
  expect(await discarded(invoices, shop.sellerId)).toEqual([])
  chargeOf(invoices, invoice, captures)
  await resolveLater(invoices)
  expect(await keptCards()).toEqual([{ id: (await storedCards())[0], isOurs: true }])
  expect(await discarded(invoices, shop.sellerId)).toEqual([])
})

test('a decline after the challenge is an answer, and the card is destroyed, though it was to be kept', async () => {
  invoices.behind.orders.hooks.outcome = declines
  await start(invoices, invoice, CHALLENGED, { keepCard: true })
  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('CHARGED')
  expect(await get(invoices, invoice)).toMatchObject({ status: CLOSED })
  const { transactions } = await latestCharge(invoices, invoice)
  expect(transactions).toMatchObject([{ status: InvoiceTransactionStatus.FAILED }])
  expect(await discarded(invoices, shop.sellerId)).toEqual(await storedCards())
})

test.each([
  ['4000000000001012', 'rejected'],
  ['4000000000001117', 'unavailable'],
])('a payer who is not authenticated at once is refused: %s, %s', async (number) => {
  await expect(start(invoices, invoice, number)).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'AUTHENTICATION_FAILED',
  })
  expect(charges()).toEqual([])
  expect(await get(invoices, invoice)).toMatchObject({ status: OPEN })
})

test('a payer whom the issuer rejects pays nothing', async () => {
  await start(invoices, invoice)
  server.decide('REJECTED')
  expect(await finish(invoices, returned(server))).toBe('REFUSED')
  expect([await refusalOf(invoices, invoice), charges()]).toEqual([null, []])
  expect(await discarded(invoices, shop.sellerId)).toEqual(await storedCards())
})

test('an invoice that cannot be paid starts no authentication', async () => {
  const asked = server.authentications.length
  await expect(start(invoices, invoice, CHALLENGED, { installments: 13 })).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
  })
  await expect(start(invoices, { ...invoice, id: 1 })).rejects.toMatchObject({ kind: 'not_found' })
  const free = await create(invoices, invoiceFor(shop))
  await invoices.pool.query('UPDATE invoices SET amount = 0, open_principal = 0 WHERE id = $1', [free.id])
  await expect(start(invoices, free)).rejects.toMatchObject({ reason: 'AUTHENTICATION_FAILED' })
  await voidInvoice(invoices, invoice)
  await expect(start(invoices, invoice)).rejects.toMatchObject({ reason: 'INVALID_INVOICE_STATE' })
  expect(server.authentications).toHaveLength(asked)
})
