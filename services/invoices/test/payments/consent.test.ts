import { callRpc } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus } from '@cofre/proto/invoices/v1/invoices'
import { CollectionMethod } from '@cofre/proto/invoices/v1/recurring'
import { startOf } from '@cofre/platform/calendar-day'
import { billCycles } from '../../src/recurring/billing/bill-cycles'
import { setClock } from '../support/dunning'
import { create, get, invoiceFor, newShop, type Shop } from '../support/invoices'
import { declines, PAN, pay } from '../support/payments'
import { billAll, createRecurring, cycleInvoices, recurringFor } from '../support/recurring'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const CONSENT = { language: 'pt-BR', text: 'Salvar este cartão para as próximas', address: '203.0.113.7' }

let invoices: TestInvoices
let shop: Shop
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(async () => {
  invoices.behind.orders.hooks.outcome = (charge) => charge
  shop = await newShop(invoices)
})
afterEach(() => setClock(Date.now()))
afterAll(() => invoices.stop())

const payNext = async (changes: Parameters<typeof pay>[2]) =>
  pay(invoices, await create(invoices, invoiceFor(shop)), changes)
const cards = async () => {
  const { sellerId, customerId } = shop
  return (await callRpc(invoices.customers, invoices.customers.listCustomerCards, { sellerId, customerId }))
    .cards
}
const store = () => invoices.behind.vault.store(shop.sellerId, PAN).id
const consents = async () => {
  const { rows } = await invoices.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM invoice_transactions WHERE seller_id = $1 AND keep_consent IS NOT NULL`,
    [shop.sellerId],
  )
  return rows[0]?.count
}

test('what the payer agreed to is kept with the card: the words, the language, when and from where', async () => {
  const before = Date.now() - 60_000
  await payNext({ cardId: store(), keepCard: true, keepConsent: CONSENT })
  const [card] = await cards()
  expect(card?.consent).toEqual({ ...CONSENT, givenAt: expect.any(Number) })
  expect(card?.consent?.givenAt).toBeGreaterThan(before)
})

test('a card that the seller asked for has no consent of ours; kept again it keeps the one that it had', async () => {
  const cardId = store()
  await payNext({ cardId, keepCard: true })
  expect((await cards())[0]?.consent).toBeUndefined()
  await payNext({ cardId, keepCard: true, keepConsent: CONSENT })
  await payNext({ cardId, keepCard: true })
  expect((await cards())[0]?.consent).toMatchObject(CONSENT)
  await payNext({ cardId: store(), keepCard: true })
  expect((await cards())[0]?.consent).toBeUndefined()
})

test('words that came without the tick, or with a payment that failed, are with no card', async () => {
  await payNext({ cardId: store(), keepCard: false, keepConsent: CONSENT })
  expect([await cards(), await consents()]).toEqual([[], 0])
  invoices.behind.orders.hooks.outcome = declines
  await payNext({ cardId: store(), keepCard: true, keepConsent: CONSENT })
  expect(await cards()).toEqual([])
})

test('with the card its consent goes; with the customer all consents go', async () => {
  const cardId = store()
  await payNext({ cardId, keepCard: true, keepConsent: CONSENT })
  const key = { sellerId: shop.sellerId, customerId: shop.customerId }
  await callRpc(invoices.customers, invoices.customers.removeCustomerCard, { ...key, cardId })
  const { rows } = await invoices.pool.query('SELECT kept_card_consent FROM customers WHERE id = $1', [
    shop.customerId,
  ])
  expect(rows).toEqual([{ kept_card_consent: null }])
  expect(await consents()).toBe(1)
  await callRpc(invoices.customers, invoices.customers.deleteCustomer, key)
  expect(await consents()).toBe(0)
})

test('who does not tick the box is not charged for the next invoice of the plan', async () => {
  const plan = await createRecurring(
    invoices,
    recurringFor(shop, { collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY }),
  )
  await billAll(billCycles(invoices.deps), startOf('2055-01-31'))
  const [first] = await cycleInvoices(invoices, plan)
  if (!first) throw new Error('the cycle was not billed')
  await pay(invoices, first, { cardId: store(), keepCard: false })
  await billAll(billCycles(invoices.deps), startOf('2055-02-28'))
  const second = (await cycleInvoices(invoices, plan))[1]
  if (!second) throw new Error('the next cycle was not billed')
  expect((await get(invoices, second)).automaticCharge).toMatchObject({
    status: AutomaticChargeStatus.NEEDS_CARD,
    reason: 'NO_CARD',
  })
})
