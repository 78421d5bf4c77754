import { DomainError, unavailable } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { InvoiceStatus, InvoiceTransactionStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { destroyDiscarded, discardForgotten } from '../../src/cards/destroy-discarded'
import { create, get, invoiceFor, newShop, type Shop } from '../support/invoices'
import {
  captures,
  chargeOf,
  declines,
  PAN,
  pay,
  sealed,
  resolveLater,
  staysSilent,
} from '../support/payments'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

let invoices: TestInvoices
let shop: Shop
let invoice: Invoice
let vault: VaultClient
beforeAll(async () => {
  invoices = await startInvoices()
  vault = await invoices.network.clientOf(VaultClient, invoices.behind.vaultAddress, 'invoices')
})
beforeEach(async () => {
  invoices.behind.orders.hooks.outcome = (charge) => charge
  shop = await newShop(invoices)
  invoice = await create(invoices, invoiceFor(shop))
})
afterAll(() => invoices.stop())

const kept = async (): Promise<number | null> => {
  const { rows } = await invoices.pool.query('SELECT kept_card_id AS id FROM customers WHERE id = $1', [
    shop.customerId,
  ])
  return rows[0]?.id
}
const isStored = (id: number) =>
  callRpc(vault, vault.describeCard, { sellerId: shop.sellerId, id }).then(
    () => true,
    () => false,
  )
const payNext = async (changes: Parameters<typeof pay>[2]) =>
  pay(invoices, await create(invoices, invoiceFor(shop)), changes)

test('a card is kept only if the customer agreed, and only once it has paid', async () => {
  await pay(invoices, invoice)
  expect(await kept()).toBeNull()
  const { id: cardId, token: cardToken } = invoices.behind.vault.store(shop.sellerId, PAN)
  invoices.behind.orders.hooks.outcome = declines
  await payNext({ cardId, keepCard: true })
  expect(await kept()).toBeNull()
  invoices.behind.orders.hooks.outcome = (charge) => charge
  await payNext({ cardToken, keepCard: true })
  expect(await kept()).toBe(cardId)
})

test('a card that came as a number is stored to be kept, and charged by its number, with its CVV', async () => {
  await pay(invoices, invoice, { keepCard: true })
  const cardId = await kept()
  expect(cardId).not.toBeNull()
  expect(await isStored(cardId ?? 0)).toBe(true)
  expect(invoices.behind.orders.asked.authorize.at(-1)?.payments[0]).toMatchObject({
    card: { handle: PAN },
    cardToken: '',
  })
})

test('a card is also kept when the outcome is known later', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  await pay(invoices, invoice, { keepCard: true })
  expect(await kept()).toBeNull()
  chargeOf(invoices, invoice, captures)
  await resolveLater(invoices)
  expect(await isStored((await kept()) ?? 0)).toBe(true)
})

describe('a number that we stored is destroyed', () => {
  test('when its payment is declined', async () => {
    invoices.behind.orders.hooks.outcome = declines
    await pay(invoices, invoice, { keepCard: true })
    const { rows } = await invoices.pool.query(
      'SELECT card_id AS id FROM discarded_cards WHERE seller_id = $1',
      [shop.sellerId],
    )
    const attempts = await invoices.pool.query(
      'SELECT keep_card_id, keep_card_is_ours FROM invoice_transactions WHERE invoice_id = $1',
      [invoice.id],
    )
    expect(attempts.rows).toEqual([{ keep_card_id: null, keep_card_is_ours: false }])
    expect(await isStored(rows[0].id)).toBe(true)
    await destroyDiscarded(invoices.deps)
    expect(await isStored(rows[0].id)).toBe(false)
  })

  test('when another takes its place, or the customer is deleted, unless it is a card of the seller', async () => {
    await pay(invoices, invoice, { keepCard: true })
    const first = (await kept()) ?? 0
    const { id: cardId } = invoices.behind.vault.store(shop.sellerId, PAN)
    await payNext({ cardId, keepCard: true })
    expect(await kept()).toBe(cardId)
    await payNext({ keepCard: true })
    const last = (await kept()) ?? 0
    const { client } = invoices
    const unpaid = await create({ client }, invoiceFor(shop))
    const { customers } = invoices
    const { sellerId, customerId } = shop
    await callRpc(customers, customers.deleteCustomer, { sellerId, customerId })
    await pay(invoices, unpaid, { keepCard: true })
    await destroyDiscarded(invoices.deps)
    expect(await Promise.all([first, cardId, last, last + 1].map(isStored))).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect(await destroyDiscarded(invoices.deps)).toBe(0)
  })
})

test('when the vault cannot store the card, nothing is charged, and the payment may be made again', async () => {
  const asked = invoices.behind.orders.asked.authorize.length
  const voucher = sealed({ handle: '' })
  await expect(pay(invoices, invoice, { card: voucher, keepCard: true })).rejects.toMatchObject({
    reason: 'CARD_TOKEN_UNUSABLE',
  })
  invoices.behind.vault.hooks.onCall = (rpc) => {
    if (rpc === 'storeCard') throw unavailable('The vault is away.')
  }
  await expect(pay(invoices, invoice, { keepCard: true })).rejects.toMatchObject({ kind: 'unavailable' })
  invoices.behind.vault.hooks.onCall = () => {}
  expect(invoices.behind.orders.asked.authorize).toHaveLength(asked)
  expect((await get(invoices, invoice)).charge?.transactions).toMatchObject([
    { status: InvoiceTransactionStatus.FAILED },
  ])
  await pay(invoices, invoice, { keepCard: true })
  expect((await get(invoices, invoice)).status).toBe(InvoiceStatus.PAID)
})

describe('a card stored for a payment that has not saved its id', () => {
  const STOP_NOTING = `CREATE FUNCTION stop_noting() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'the process is gone'; END $$;
    CREATE TRIGGER stop_noting BEFORE UPDATE ON invoice_transactions FOR EACH ROW
      WHEN (NEW.keep_card_id IS NOT NULL) EXECUTE FUNCTION stop_noting()`
  afterEach(async () => {
    invoices.behind.vault.hooks.onCall = () => {}
    await invoices.pool.query('DROP FUNCTION IF EXISTS stop_noting CASCADE')
  })
  const stored = () =>
    [...invoices.behind.vault.cards.values()].filter(({ sellerId }) => sellerId === shop.sellerId).length
  const asked = () =>
    invoices.behind.orders.asked.authorize.filter(({ sellerId }) => sellerId === shop.sellerId).length
  const lookLater = async () => {
    await invoices.pool.query(
      `UPDATE cards_being_stored SET ask_at = now() - interval '1 s' WHERE seller_id = $1`,
      [shop.sellerId],
    )
    return discardForgotten(invoices.deps)
  }

  test('is destroyed, and nothing was charged', async () => {
    await invoices.pool.query(STOP_NOTING)
    await expect(pay(invoices, invoice, { keepCard: true })).rejects.toThrow()
    expect([stored(), asked()]).toEqual([1, 0])
    expect(await discardForgotten(invoices.deps)).toBe(0)
    expect(await lookLater()).toBe(1)
    await destroyDiscarded(invoices.deps)
    expect([stored(), await lookLater()]).toEqual([0, 0])
  })

  test('is looked for until the vault answers; one that was never stored is forgotten', async () => {
    invoices.behind.vault.hooks.onCall = (rpc) => {
      if (rpc === 'storeCard') throw unavailable('The vault is away.')
    }
    await expect(pay(invoices, invoice, { keepCard: true })).rejects.toMatchObject({ kind: 'unavailable' })
    expect([await lookLater(), await lookLater()]).toEqual([1, 1])
    invoices.behind.vault.hooks.onCall = () => {
      throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'There is no such card.')
    }
    expect([await lookLater(), await lookLater()]).toEqual([1, 0])
  })

  test('is not kept when the sweeper was faster', async () => {
    invoices.behind.vault.hooks.onCall = async (rpc) => {
      if (rpc === 'storeCard') await invoices.pool.query('DELETE FROM cards_being_stored')
    }
    await expect(pay(invoices, invoice, { keepCard: true })).rejects.toMatchObject({ kind: 'unavailable' })
    invoices.behind.vault.hooks.onCall = () => {}
    await destroyDiscarded(invoices.deps)
    expect([stored(), asked(), await kept()]).toEqual([0, 0, null])
  })

  test('leaves nothing to look for once its id is saved', async () => {
    await pay(invoices, invoice, { keepCard: true })
    expect(await lookLater()).toBe(0)
    expect(await isStored((await kept()) ?? 0)).toBe(true)
  })
})
