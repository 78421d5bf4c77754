import { callRpc } from '@cofre/platform/grpc/client'
import { AutomaticChargeStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { destroyDiscarded } from '../../src/cards/destroy-discarded'
import { billedInvoice, chargeDue, declineWith, stopCharging } from '../support/dunning'
import { create, DAY_MS, get, invoiceFor, newShop, type Shop } from '../support/invoices'
import { answerAsUsual, chargeOf, PAN, pay, resolveLater, sealed, staysSilent } from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { WAITING, NEEDS_CARD, PAID } = AutomaticChargeStatus

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
beforeEach(() => answerAsUsual(invoices))
afterEach(() => stopCharging(invoices))
afterAll(() => invoices.stop())

const cardsOf = async ({ sellerId, customerId }: Shop) =>
  (await callRpc(invoices.customers, invoices.customers.listCustomerCards, { sellerId, customerId })).cards
const remove = ({ sellerId, customerId }: Shop, cardId: number | null) =>
  callRpc(invoices.customers, invoices.customers.removeCustomerCard, {
    sellerId,
    customerId,
    cardId: cardId ?? 0,
  })
const store = ({ sellerId }: Shop, changes = {}) => invoices.behind.vault.store(sellerId, PAN, changes)

test('the kept card and those that plans name are listed, with what they are charged for', async () => {
  const shop = await newShop(invoices)
  expect(await cardsOf(shop)).toEqual([])
  const named = store(shop, { brand: 'ELO' })
  const ofNamed = await billedInvoice(invoices, { shop, card: null, chosenCard: named.id })
  const ofKept = await billedInvoice(invoices, { shop })
  expect(await cardsOf(shop)).toEqual([
    {
      id: ofKept.cardId,
      brand: 'VISA',
      lastFour: PAN.slice(-4),
      expirationYear: expect.any(Number),
      expirationMonth: expect.any(Number),
      since: expect.any(Number),
      isDefault: true,
      recurringInvoiceIds: [ofKept.invoice.recurringInvoiceId],
    },
    expect.objectContaining({
      id: named.id,
      brand: 'ELO',
      isDefault: false,
      recurringInvoiceIds: [ofNamed.invoice.recurringInvoiceId],
    }),
  ])
})

test('a removed card is charged no more; charges that have no other one need a card, and a new one is charged', async () => {
  const billed = await billedInvoice(invoices)
  const { shop, cardId, dueAt } = billed
  await remove(shop, cardId)
  expect(await cardsOf(shop)).toEqual([])
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
    status: NEEDS_CARD,
    reason: 'CARD_REMOVED',
    attempts: 0,
  })
  const before = invoices.behind.orders.asked.authorize.length
  await chargeDue(invoices, dueAt)
  expect(invoices.behind.orders.asked.authorize).toHaveLength(before)
  await pay(invoices, await create(invoices, invoiceFor(shop)), { cardId: store(shop).id, keepCard: true })
  await chargeDue(invoices, dueAt + DAY_MS)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({ status: PAID, attempts: 1 })
})

test('a charge with another card goes on with that one', async () => {
  const shop = await newShop(invoices)
  const named = store(shop)
  const billed = await billedInvoice(invoices, { shop, chosenCard: named.id })
  await remove(shop, named.id)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({ status: WAITING })
  expect(await cardsOf(shop)).toMatchObject([{ id: billed.cardId, isDefault: true }])
  await chargeDue(invoices, billed.dueAt)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({ status: PAID })
})

test('a card that Cofre stored itself is destroyed; one of the seller stays in the vault', async () => {
  const shop = await newShop(invoices)
  await pay(invoices, await create(invoices, invoiceFor(shop)), {
    cardId: undefined,
    card: sealed(),
    keepCard: true,
  })
  const [ours] = await cardsOf(shop)
  await remove(shop, ours?.id ?? 0)
  const theirs = store(shop)
  await pay(invoices, await create(invoices, invoiceFor(shop)), { cardId: theirs.id, keepCard: true })
  await remove(shop, theirs.id)
  while ((await destroyDiscarded(invoices.deps)) > 0);
  expect(invoices.behind.vault.cards.has(ours?.id ?? 0)).toBe(false)
  expect(invoices.behind.vault.cards.has(theirs.id)).toBe(true)
})

test('an unknown card, another customer’s and one that was removed are not found', async () => {
  const [billed, other] = [await billedInvoice(invoices), await billedInvoice(invoices)]
  const missing = expect.objectContaining({ kind: 'not_found' })
  await expect(remove(other.shop, billed.cardId)).rejects.toEqual(missing)
  await expect(remove({ ...billed.shop, sellerId: other.shop.sellerId }, billed.cardId)).rejects.toEqual(
    missing,
  )
  const stranger = { ...billed.shop, sellerId: other.shop.sellerId }
  await expect(cardsOf(stranger)).rejects.toEqual(missing)
  const raced = await Promise.allSettled([1, 2, 3].map(() => remove(billed.shop, billed.cardId)))
  expect(raced.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
})

test('a charge under way is followed to its end, and no other one is made with a removed card', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  const billed = await billedInvoice(invoices)
  await chargeDue(invoices, billed.dueAt)
  await remove(billed.shop, billed.cardId)
  chargeOf(invoices, billed.invoice, declineWith({}))
  await resolveLater(invoices)
  await resolveLater(invoices)
  answerAsUsual(invoices)
  await chargeDue(invoices, billed.dueAt + 3 * DAY_MS)
  expect((await get(invoices, billed.invoice)).automaticCharge).toMatchObject({
    status: NEEDS_CARD,
    attempts: 1,
  })
})

test('the payer of an invoice removes the stored cards from its page, as often as they like', async () => {
  const { pages } = invoices
  const { invoice, shop } = await billedInvoice(invoices)
  const { publicId } = invoice
  expect(await callRpc(pages, pages.getPaymentPage, { publicId })).toMatchObject({ hasKeptCard: true })
  await Promise.all([1, 2, 3].map(() => callRpc(pages, pages.removeKeptCards, { publicId })))
  expect(await callRpc(pages, pages.getPaymentPage, { publicId })).toMatchObject({ hasKeptCard: false })
  expect(await cardsOf(shop)).toEqual([])
  await expect(callRpc(pages, pages.removeKeptCards, { publicId: 'x'.repeat(20) })).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('the page of an automatic invoice may keep the card that pays it, which its plan then charges', async () => {
  const { pages } = invoices
  const mayKeep = async ({ publicId }: Pick<Invoice, 'publicId'>) =>
    (await callRpc(pages, pages.getPaymentPage, { publicId })).mayKeepCard
  const first = await billedInvoice(invoices, { card: null })
  expect(await mayKeep(first.invoice)).toBe(true)
  await pay(invoices, first.invoice, { card: sealed(), keepCard: true })
  expect(await cardsOf(first.shop)).toMatchObject([
    { isDefault: true, recurringInvoiceIds: [first.invoice.recurringInvoiceId] },
  ])
  const single = await create(invoices, invoiceFor(first.shop, { finalize: true }))
  expect(await mayKeep(single)).toBe(false)
})

test('a card that the payer keeps takes the place of the one that the plan names', async () => {
  const { pages } = invoices
  const shop = await newShop(invoices)
  const named = store(shop).id
  const plan = await billedInvoice(invoices, { shop, card: null, chosenCard: named })
  const { publicId, recurringInvoiceId } = plan.invoice
  expect(await callRpc(pages, pages.getPaymentPage, { publicId })).toMatchObject({ mayKeepCard: true })
  const kept = store(shop)
  await pay(invoices, await create(invoices, invoiceFor(shop)), { cardId: kept.id, keepCard: true })
  const shown = { recurringInvoiceIds: [recurringInvoiceId] }
  expect(await cardsOf(shop)).toMatchObject([
    { isDefault: true, ...shown },
    { id: named, isDefault: false, ...shown },
  ])
  await chargeDue(invoices, plan.dueAt)
  expect(invoices.behind.orders.asked.authorize.at(-1)?.payments).toMatchObject([{ cardToken: kept.token }])
})

test('the page keeps no card where the plan is over', async () => {
  const { pages } = invoices
  const over = await billedInvoice(invoices, { card: null })
  await callRpc(invoices.recurring, invoices.recurring.cancelRecurringInvoice, {
    sellerId: over.shop.sellerId,
    recurringInvoiceId: over.invoice.recurringInvoiceId ?? 0,
  })
  expect(await callRpc(pages, pages.getPaymentPage, { publicId: over.invoice.publicId })).toMatchObject({
    mayKeepCard: false,
  })
})
