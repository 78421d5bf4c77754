import { InvoiceStatus, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import {
  discarded,
  finish,
  FRICTIONLESS,
  refusalOf,
  returned,
  resolveChallengesLater,
  start,
  startAgain,
  statusesOf,
} from '../support/challenges'
import { create, get, invoiceFor, newShop, voidInvoice, type Shop } from '../support/invoices'
import { findChallenge } from '../../src/cards/three-d-secure/challenge-store'
import { endChallenge } from '../../src/cards/three-d-secure/pay-authenticated'
import { answerAsUsual, pay, staysSilent } from '../support/payments'
import { withKey } from '../support/repeated'
import { SmallAuthenticationServer } from '../support/small-authentication-server'
import { startInvoices, type TestInvoices } from '../support/start-invoices'

const { PAID } = InvoiceStatus
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

test('a forged return changes nothing: only the server is believed', async () => {
  await start(invoices, invoice)
  expect(await finish(invoices, returned(server))).toBe('PENDING')
  const { publicId, challengeId } = returned(server)
  const made = 'A'.repeat(22)
  for (const ids of [
    { publicId, challengeId: made },
    { publicId: made, challengeId },
  ]) {
    await expect(finish(invoices, ids)).rejects.toMatchObject({ kind: 'not_found' })
  }
  expect(charges()).toEqual([])
})

test('a repeated return changes nothing', async () => {
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  const ids = returned(server)
  expect(await finish(invoices, ids)).toBe('CHARGED')
  expect(await finish(invoices, ids)).toBe('CHARGED')
  expect(charges()).toHaveLength(1)
})

test('ten returns at once pay once', async () => {
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  const ids = returned(server)
  const ends = await Promise.all(Array.from({ length: 10 }, () => finish(invoices, ids)))
  expect(ends).toContain('CHARGED')
  expect(ends.every((end) => end === 'CHARGED' || end === 'AUTHENTICATED')).toBe(true)
  expect(charges()).toHaveLength(1)
})

test('a repeated request gets its challenge, and ten at once get the same one', async () => {
  const first = await withKey('again', () => start(invoices, invoice))
  expect(await withKey('again', () => startAgain(invoices, invoice))).toEqual({
    response: first,
    replayed: true,
  })
  const other = await create(invoices, invoiceFor(shop))
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => withKey('raced', () => start(invoices, other))),
  )
  const urls = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.challenge?.url] : []))
  expect(new Set(urls).size).toBe(1)
  expect((await statusesOf(invoices, other)).filter((status) => status === 'PENDING')).toHaveLength(1)
})

test('a repeated payment without a challenge gets its charge', async () => {
  const first = await withKey('paid', () => start(invoices, invoice, FRICTIONLESS))
  const again = await withKey('paid', () => startAgain(invoices, invoice, FRICTIONLESS))
  expect(again).toEqual({ response: first, replayed: true })
  expect(charges()).toHaveLength(1)
})

test.each(['unknown', 'not_sent', 'http_500', 'nonsense'] as const)(
  'a server that does not answer (%s) charges nothing, and may be asked again',
  async (fault) => {
    server.faults.push(fault)
    const refusal = withKey(fault, () => start(invoices, invoice))
    await expect(refusal).rejects.toMatchObject({ kind: 'unavailable' })
    await withKey(fault, () => start(invoices, invoice))
    server.decide('AUTHENTICATED')
    server.faults.push(fault)
    await expect(finish(invoices, returned(server))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await finish(invoices, returned(server))).toBe('CHARGED')
  },
)

test('a payer who gave up, or came back too late, pays nothing; the card is destroyed', async () => {
  await start(invoices, invoice)
  await resolveChallengesLater(invoices)
  expect(await statusesOf(invoices, invoice)).toEqual(['EXPIRED'])
  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('EXPIRED')

  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await invoices.pool.query(
    `UPDATE challenges SET expires_at = now() - interval '1 second' WHERE status = 'PENDING'`,
  )
  expect(await finish(invoices, returned(server))).toBe('EXPIRED')
  expect(charges()).toEqual([])
  expect(await discarded(invoices, shop.sellerId)).toHaveLength(2)
})

test.each<[string, () => Promise<unknown>]>([
  ['was voided', () => voidInvoice(invoices, invoice)],
  ['was paid otherwise', () => pay(invoices, invoice)],
])('an invoice that %s meanwhile is not paid', async (_, meanwhile) => {
  await start(invoices, invoice)
  await meanwhile()
  const before = charges().length
  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('REFUSED')
  expect(await refusalOf(invoices, invoice)).toBe('NOT_PAID')
  expect(charges()).toHaveLength(before)
})

test('a payer who agreed to another amount is not charged', async () => {
  await start(invoices, invoice)
  await invoices.pool.query('UPDATE challenges SET amount = amount - 1 WHERE invoice_id = $1', [invoice.id])
  server.decide('AUTHENTICATED')
  expect(await finish(invoices, returned(server))).toBe('REFUSED')
  expect([await refusalOf(invoices, invoice), charges()]).toEqual(['AMOUNT_CHANGED', []])
})

test('a payer who was shown another amount is not asked to authenticate', async () => {
  const asked = server.authentications.length
  const shown = { expectedAmount: 9_979 }
  const refused = { kind: 'failed_precondition', reason: 'AMOUNT_CHANGED' }
  await expect(start(invoices, invoice, FRICTIONLESS, shown)).rejects.toMatchObject(refused)
  expect([server.authentications.length, charges()]).toEqual([asked, []])
})

test('a payer is not charged when the amount changed while the issuer was asked', async () => {
  server.before = async () => {
    await invoices.pool.query(
      'UPDATE invoices SET amount = amount + 1, open_principal = open_principal + 1 WHERE id = $1',
      [invoice.id],
    )
  }
  const refused = { kind: 'failed_precondition', reason: 'AUTHENTICATION_FAILED' }
  await expect(start(invoices, invoice, FRICTIONLESS)).rejects.toMatchObject(refused)
  expect(charges()).toEqual([])
})

test('a payer who comes back while another payment is pending is not charged, then or later', async () => {
  invoices.behind.orders.hooks.outcome = staysSilent
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await pay(invoices, invoice)
  expect(await finish(invoices, returned(server))).toBe('REFUSED')
  await resolveChallengesLater(invoices, 3_600_000)
  expect(await statusesOf(invoices, invoice)).toEqual(['REFUSED'])
  expect(charges()).toHaveLength(1)
})

test('giving up a challenge that was approved meanwhile changes nothing', async () => {
  await start(invoices, invoice)
  const challenge = await findChallenge(invoices.pool, returned(server))
  if (!challenge) throw new Error('there is no challenge')
  await invoices.pool.query(`UPDATE challenges SET status = 'AUTHENTICATED' WHERE invoice_id = $1`, [
    invoice.id,
  ])
  const { status } = await endChallenge(invoices.deps, challenge, 'EXPIRED')
  expect(status).toBe('AUTHENTICATED')
  expect(await statusesOf(invoices, invoice)).toEqual(['AUTHENTICATED'])
  await invoices.pool.query(`UPDATE challenges SET status = 'EXPIRED', ask_at = NULL WHERE invoice_id = $1`, [
    invoice.id,
  ])
})

test('after a process ends once the payment began, the challenge ends with it, and is paid once', async () => {
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  invoices.behind.orders.hooks.before = async () => {
    throw new Error('the orders service is gone')
  }
  expect(await finish(invoices, returned(server))).toBe('CHARGED')
  invoices.behind.orders.hooks.before = async () => {}
  await invoices.pool.query(
    `UPDATE challenges SET status = 'AUTHENTICATED', ask_at = now() - interval '1 second' WHERE invoice_id = $1`,
    [invoice.id],
  )
  await resolveChallengesLater(invoices, 0)
  expect(await statusesOf(invoices, invoice)).toEqual(['CHARGED'])
  expect(
    invoices.behind.orders.asked.authorize.filter(({ sellerId }) => sellerId === shop.sellerId),
  ).toHaveLength(1)
})

test('after a process ends before the payment began, nothing is charged, and the payer may pay again', async () => {
  await start(invoices, invoice)
  server.decide('AUTHENTICATED')
  await invoices.pool.query(
    `UPDATE challenges SET status = 'AUTHENTICATED', ask_at = now() - interval '1 second' WHERE invoice_id = $1`,
    [invoice.id],
  )
  await resolveChallengesLater(invoices, 0)
  expect(await statusesOf(invoices, invoice)).toEqual(['REFUSED'])
  expect([await refusalOf(invoices, invoice), charges()]).toEqual(['NOT_PAID', []])
  expect(await discarded(invoices, shop.sellerId)).toHaveLength(1)
  await pay(invoices, invoice)
  expect(await get(invoices, invoice)).toMatchObject({ status: PAID })
})

test('a process that ends while it stores the card leaves no card behind', async () => {
  await start(invoices, invoice)
  await invoices.pool.query(
    `UPDATE challenges SET status = 'STORING', card_id = NULL WHERE invoice_id = $1`,
    [invoice.id],
  )
  await expect(finish(invoices, returned(server))).rejects.toMatchObject({ kind: 'not_found' })
  await resolveChallengesLater(invoices)
  expect(await statusesOf(invoices, invoice)).toEqual(['EXPIRED'])
  expect(await discarded(invoices, shop.sellerId)).toHaveLength(1)
})
