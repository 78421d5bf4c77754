import { eventually } from '@cofre/testing/testing'
import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { startSettlingChallenges } from '../../src/sweepers/settle-challenges'
import { discarded, finish, returned, settleChallengesLater, start, statusesOf } from '../support/challenges'
import { create, get, invoiceFor, newShop, type Shop } from '../support/invoices'
import { answerAsUsual, captures, pay, staysSilent } from '../support/payments'
import { SmallAuthenticationServer } from '../support/small-authentication-server'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID } = InvoiceStatus
const HOUR_MS = 3_600_000
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

/** As if the process had died between the payment, as far as that came, and its note that the challenge is over. */
async function forgetEnd(): Promise<void> {
  await invoices.pool.query(
    `UPDATE challenges SET status = 'AUTHENTICATED', ask_at = now() - interval '1 second' WHERE invoice_id = $1`,
    [invoice.id],
  )
  await invoices.pool.query('DELETE FROM discarded_cards WHERE seller_id = $1', [shop.sellerId])
}

async function paidByChallenge(keepCard = false): Promise<void> {
  await start(invoices, invoice, undefined, { keepCard })
  server.decide('AUTHENTICATED')
  await finish(invoices, returned(server))
  await forgetEnd()
}

const asksForCharge = () =>
  invoices.behind.orders.asked.authorize.filter(({ sellerId }) => sellerId === shop.sellerId).length

test.each<[string, () => void, number]>([
  ['says now that the payer was rejected', () => server.decide('REJECTED'), 0],
  ['does not answer', () => server.faults.push('unknown', 'unknown'), 0],
  ['does not answer, an hour later', () => server.faults.push('unknown', 'unknown'), HOUR_MS],
])('what was charged stays charged, where the 3-D Secure server %s', async (_how, happens, laterMs) => {
  await paidByChallenge()
  happens()
  await settleChallengesLater(invoices, laterMs)
  expect(await statusesOf(invoices, invoice)).toEqual(['CHARGED'])
  expect((await get(invoices, invoice)).status).toBe(PAID)
  expect(asksForCharge()).toBe(1)
})

test('a card that the customer keeps is not destroyed', async () => {
  await paidByChallenge(true)
  server.decide('REJECTED')
  await settleChallengesLater(invoices, HOUR_MS)
  expect(await discarded(invoices, shop.sellerId)).toEqual([])
})

test('while it is not known what became of the payment the challenge waits, and ends with it', async () => {
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await finish(invoices, returned(server))
  // The intention alone was saved.
  await forgetEnd()
  await invoices.pool.query(
    `UPDATE idempotency SET response = NULL, completed_at = NULL WHERE method = 'PAY' AND seller_id = $1`,
    [shop.sellerId],
  )
  server.faults.push('unknown')
  await settleChallengesLater(invoices, HOUR_MS)
  expect(await statusesOf(invoices, invoice)).toEqual(['AUTHENTICATED'])
  expect(asksForCharge()).toBe(1)
})

test('nobody is charged an hour later, also where the payment that was in the way failed meanwhile', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await pay(invoices, invoice)
  expect(await finish(invoices, returned(server))).toBe('AUTHENTICATED')
  invoices.behind.orders.hooks.outcome = captures
  await invoices.pool.query(
    `UPDATE invoice_transactions SET status = 'FAILED', ask_at = NULL WHERE invoice_id = $1`,
    [invoice.id],
  )
  await settleChallengesLater(invoices, HOUR_MS)
  expect(await statusesOf(invoices, invoice)).toEqual(['EXPIRED'])
  expect(asksForCharge()).toBe(1)
})

test('a challenge that is slow keeps no other one waiting', async () => {
  const others = [invoice]
  for (let more = 0; more < 4; more++) others.push(await create(invoices, invoiceFor(shop)))
  for (const each of others) {
    await start(invoices, each)
    server.decide('AUTHENTICATED')
  }
  await invoices.pool.query(
    `UPDATE challenges SET status = 'AUTHENTICATED', ask_at = now() - interval '1 second' WHERE seller_id = $1`,
    [shop.sellerId],
  )
  let arrived = 0
  let go = () => {}
  const areAllThere = new Promise<void>((resolve) => (go = resolve))
  server.before = () => {
    arrived += 1
    if (arrived === others.length) go()
    return areAllThere
  }
  const loop = startSettlingChallenges(invoices.deps)
  try {
    await eventually(async () => {
      for (const each of others) expect(await statusesOf(invoices, each)).toEqual(['CHARGED'])
    }, 60_000)
  } finally {
    go()
    await loop.stop()
  }
})
