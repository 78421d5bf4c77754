import { unavailable } from '@cofre/platform/errors'
import { eventually } from '@cofre/testing/testing'
import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { startResolvingChallenges } from '../../src/cards/three-d-secure/resolve-challenges'
import { findChallenge } from '../../src/cards/three-d-secure/challenge-store'
import { payAuthenticated } from '../../src/cards/three-d-secure/pay-authenticated'
import {
  discarded,
  finish,
  refusalOf,
  returned,
  resolveChallengesLater,
  start,
  statusesOf,
} from '../support/challenges'
import { create, get, invoiceFor, newShop, type Shop } from '../support/invoices'
import { answerAsUsual, captures, pay, staysSilent } from '../support/payments'
import { SmallAuthenticationServer } from '../support/small-authentication-server'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { CLOSED, PAID } = InvoiceStatus
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

/** Acts as if the process had died after the payment, before it saved the end of the challenge. */
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
])('a charged payment stays charged when the 3-D Secure server %s', async (_how, happens, laterMs) => {
  await paidByChallenge()
  happens()
  await resolveChallengesLater(invoices, laterMs)
  expect(await statusesOf(invoices, invoice)).toEqual(['CHARGED'])
  expect((await get(invoices, invoice)).status).toBe(PAID)
  expect(asksForCharge()).toBe(1)
})

test('a card that the customer keeps is not destroyed', async () => {
  await paidByChallenge(true)
  server.decide('REJECTED')
  await resolveChallengesLater(invoices, HOUR_MS)
  expect(await discarded(invoices, shop.sellerId)).toEqual([])
})

test('a challenge waits while the outcome of its payment is unknown', async () => {
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await finish(invoices, returned(server))
  // Only the intention was saved.
  await forgetEnd()
  await invoices.pool.query(
    `UPDATE idempotency SET response = NULL, completed_at = NULL WHERE method = 'PAY' AND seller_id = $1`,
    [shop.sellerId],
  )
  server.faults.push('unknown')
  await resolveChallengesLater(invoices, HOUR_MS)
  expect(await statusesOf(invoices, invoice)).toEqual(['AUTHENTICATED'])
  expect(asksForCharge()).toBe(1)
})

test('a payer who was shown another pending payment is not charged when that one fails', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await pay(invoices, invoice)
  expect(await finish(invoices, returned(server))).toBe('REFUSED')
  invoices.behind.orders.hooks.outcome = captures
  await invoices.pool.query(
    `UPDATE invoice_transactions SET status = 'FAILED', ask_at = NULL WHERE invoice_id = $1`,
    [invoice.id],
  )
  await resolveChallengesLater(invoices, HOUR_MS)
  expect(await statusesOf(invoices, invoice)).toEqual(['REFUSED'])
  expect(asksForCharge()).toBe(1)
})

describe('a payer who was shown that nothing was charged is not charged later', () => {
  beforeEach(async () => {
    invoices.behind.orders.hooks.before = async () => {
      throw unavailable('The acquirer is away.')
    }
    await start(invoices, invoice)
    server.decide('AUTHENTICATED')
    expect(await finish(invoices, returned(server))).toBe('REFUSED')
    answerAsUsual(invoices)
  })

  test('when the acquirer could not be reached', async () => {
    expect(await refusalOf(invoices, invoice)).toBe('NOT_PAID')
    expect(await discarded(invoices, shop.sellerId)).toHaveLength(1)
    await resolveChallengesLater(invoices, 60_000)
    expect([(await get(invoices, invoice)).status, asksForCharge()]).toEqual([CLOSED, 1])
  })

  test('even when the process ended before it saved that; the invoice can be paid again', async () => {
    await forgetEnd()
    await resolveChallengesLater(invoices, 0)
    expect(await statusesOf(invoices, invoice)).toEqual(['REFUSED'])
    expect([await refusalOf(invoices, invoice), asksForCharge()]).toEqual(['NOT_PAID', 1])
    await start(invoices, invoice)
    server.decide('AUTHENTICATED')
    expect(await finish(invoices, returned(server))).toBe('CHARGED')
    expect((await get(invoices, invoice)).status).toBe(PAID)
  })
})

test('a process that stalls charges nothing when the sweeper may have ended its challenge', async () => {
  await start(invoices, invoice)
  const challenge = await findChallenge(invoices.pool, returned(server))
  if (!challenge) throw new Error('there is no challenge')
  await forgetEnd()
  const stalled = { ...challenge, status: 'AUTHENTICATED' as const, updatedAt: Date.now() - 60_000 }
  const proof = {
    eci: '05',
    version: '2.2.0',
    authenticationValue: 'AAABB2gHA1B5EFNjWQcDAAAAAAB=',
    referenceId: '',
  }
  expect((await payAuthenticated(invoices.deps, stalled, proof)).status).toBe('REFUSED')
  expect(asksForCharge()).toBe(0)
})

test('a slow challenge keeps no other one waiting', async () => {
  const others = [invoice]
  for (let more = 0; more < 4; more++) others.push(await create(invoices, invoiceFor(shop)))
  for (const each of others) await start(invoices, each)
  await invoices.pool.query(
    `UPDATE challenges SET status = 'STORING', card_id = NULL, ask_at = now() - interval '1 second'
     WHERE seller_id = $1`,
    [shop.sellerId],
  )
  let arrived = 0
  let go = () => {}
  const areAllThere = new Promise<void>((resolve) => (go = resolve))
  invoices.behind.vault.hooks.onCall = () => {
    arrived += 1
    if (arrived === others.length) go()
    return areAllThere
  }
  const loop = startResolvingChallenges(invoices.deps)
  try {
    await eventually(async () => {
      for (const each of others) expect(await statusesOf(invoices, each)).toEqual(['EXPIRED'])
    }, 60_000)
  } finally {
    invoices.behind.vault.hooks.onCall = () => {}
    go()
    await loop.stop()
  }
})
