import { createHash } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cofre/testing/testing'
import { customer, discard } from '../journeys/system'
import { authorizeCards, issuedSecrets } from './authorize-cards'
import { billPeople, strangersWith, type Person } from './bill-people'
import { Canaries, SPELLINGS } from './canaries'
import { createSearch, type Leak } from './find-leaks'
import { formsOfSecret, startListening, type OwnListener } from './listener-secrets'
import { misdirect } from './misdirect-canaries'
import { operationsOf, type Operation } from './operations'
import { filesOf, processesOf, tablesOf, withDatabase, type Place } from './places'
import { JSON_TYPE, startProduct, type Product } from './product'
import { credentialsIn, plantMerchantKey, plantPaymentKeys } from './partner-credentials'
import { cryptogramHashes, cryptogramsIn, networkNumbers } from './token-secrets'
import { payByPix, strangersOfPix, type PixPeople } from './paid/pay-by-pix'
import { payInvoices, type PaidInvoices } from './paid/pay-invoices'
import { askForTokens } from './send-network-tokens'
import {
  encryptorOf,
  keepCards,
  makeCharges,
  misplace,
  payWithVouchers,
  respell,
  WHOLE_CARD,
} from './send-canaries'

const canaries = new Canaries()
let product: Product
let operations: Operation[]
let tokens: string[]
let chargeId: number
let people: Person[]
let paid: PaidInvoices
let pixPeople: PixPeople
/** The key by which the acquirer knows the seller. */
let merchantKey: string
/** The keys by which the bank and the 3-D Secure server know the seller. */
let paymentKeys: string[]
/** Gets all events, and has a signing secret of its own. */
let listener: OwnListener

beforeAll(async () => {
  product = await startProduct()
  merchantKey = await plantMerchantKey(product)
  paymentKeys = await plantPaymentKeys(product)
  listener = await startListening(product)
  operations = (await operationsOf(product)).operations.filter(({ body }) => body)
})
afterAll(async () => {
  await discard(product)
})

const INBOX = 'canaries'
const inbox = () => `${product.ready.sandboxInboxUrl}/${INBOX}`

/** Everything that the product wrote, answered, delivered or shows of itself. */
async function everywhere(): Promise<Place[]> {
  const { runDir, ready } = product
  return [
    ...filesOf(runDir),
    ...(await tablesOf(runDir)),
    ...processesOf(ready.pids),
    ...product.answers.map(({ what, text }) => ({ name: what, text })),
    { name: 'deliveries', text: JSON.stringify(await product.sandbox('GET', `/inbox/${INBOX}`)) },
  ]
}

function leaksIn(places: readonly Place[]): Leak[] {
  const search = createSearch([...canaries.all, ...networkNumbers(product.runDir)])
  return places.flatMap(({ name, text }) => search(name, text))
}

test('cards are kept and charged in every form, by every path: approved, declined and lost', async () => {
  const encrypt = await encryptorOf(product)
  tokens = await keepCards(product, canaries, encrypt)
  const statuses = new Set<unknown>()
  for (const operation of operations.filter(({ path }) =>
    /orders\/credit-card\/(authorize|charge)$/.test(path),
  )) {
    const made = await makeCharges(product, operation, { canaries, encrypt, inbox: inbox() })
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    for (const { body } of made) statuses.add(body.status)
    chargeId = Number(made[0]?.body.id)
  }
  expect(statuses).toEqual(new Set(['AUTHORIZED', 'CAPTURED', 'DENIED', 'PENDING']))
})

test('network tokens are requested in every form, by every path, and charged', async () => {
  const asking = operations.filter(({ path }) => path.endsWith('/cards/tokens/network'))
  expect(asking).toHaveLength(4)
  const encrypt = await encryptorOf(product)
  const networkTokens = await askForTokens(product, asking, { canaries, encrypt, notificationUrl: inbox() })
  expect(networkTokens.length).toBeGreaterThan(20)
  for (const token of networkTokens) {
    const body = JSON.stringify({ amount: 1_000, installments: 1, customer, networkToken: { token } })
    const path = '/v2/orders/credit-card/charge'
    expect((await product.ask('POST', path, { headers: JSON_TYPE, body })).status).toBe(201)
  }
})

test('vouchers are kept and paid with in every form: approved, declined and lost', async () => {
  const statuses = await payWithVouchers(product, canaries, await encryptorOf(product))
  expect(new Set(statuses)).toEqual(new Set(['PAID', 'DENIED', 'PENDING']))
})

test('vouchers are authorized by redirect, renewed and deleted; codes fail, or are sent to wrong places', async () => {
  const told = await authorizeCards(product, INBOX)
  const count = (what: RegExp, status: number) =>
    told.filter((each) => what.test(each.what) && each.status === status).length
  expect(count(/payments$/, 201)).toBe(4)
  expect(count(/^GET .*\/ticket\/callback$/, 200)).toBe(4)
  expect(told.filter(({ status }) => status >= 500)).toHaveLength(2)
  const kinds = (await issuedSecrets(product)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'AuthorizationCode')).toHaveLength(5)
  expect(kinds.filter((kind) => kind === 'AccessToken').length).toBeGreaterThanOrEqual(4)
  expect(kinds.filter((kind) => kind === 'RefreshToken').length).toBeGreaterThanOrEqual(4)
})

test('customers are stored, found, billed and deleted, with valid and invalid requests', async () => {
  people = await billPeople(product, inbox())
  const { text } = await product.ask('GET', '/api/v2/invoices?status=CANCELLED')
  expect(JSON.parse(text).totalElements).toBeGreaterThanOrEqual(people.length)
})

test('invoices are paid with cards in every form, authenticated or not: approved, declined and lost', async () => {
  paid = await payInvoices(product, canaries, await encryptorOf(product))
  expect(paid.statuses).toEqual(new Set(['SUCCEEDED', 'FAILED', 'PENDING']))
  // With the planted keys.
  expect([paid.authenticated, paid.slip]).toEqual(['PAID', 'REGISTERED'])
})

test('orders and invoices are paid by Pix, some twice, and money goes back', async () => {
  pixPeople = await payByPix(product, inbox())
  expect(pixPeople.payers).toHaveLength(2)
})

test('every route that takes a body refuses a misplaced number', async () => {
  const token = tokens[0] ?? ''
  const told = []
  for (const operation of operations) {
    told.push(...(await misplace(product, operation, { canaries, chargeId, token, inbox: inbox() })))
  }
  const taken = told.filter(({ status }) => status < 400 || status >= 500)
  expect(taken.filter(({ what, status }) => status >= 500 || !what.endsWith(WHOLE_CARD))).toEqual([])
})

test('every route that takes a body refuses a misplaced number in each of over forty spellings', async () => {
  expect(SPELLINGS.length).toBeGreaterThan(40)
  const told = []
  for (const operation of operations) {
    const given = { canaries, chargeId, token: tokens[0] ?? '', inbox: inbox() }
    told.push(...(await respell(product, operation, given)))
  }
  expect(told.length).toBeGreaterThan(20 * SPELLINGS.length)
  expect(told.filter(({ status }) => status < 400 || status >= 500)).toEqual([])
})

test('a number in a header, a path or a query never causes a server error', async () => {
  const told = await misdirect(product, canaries, tokens[0] ?? '')
  expect(told.filter(({ status }) => status >= 500)).toEqual([])
})

test('no card data, credential or secret is anywhere; no customer data is where it need not be', async () => {
  await eventually(async () => {
    const pending = await withDatabase(product.runDir, 'orders', (client) =>
      client.query(`SELECT 1 FROM charges WHERE status = 'PENDING' UNION ALL SELECT 1 FROM outbox`),
    )
    const undelivered = await withDatabase(product.runDir, 'notifier', (client) =>
      client.query(`SELECT 1 FROM deliveries WHERE status = 'PENDING'`),
    )
    const unpaid = await withDatabase(product.runDir, 'vouchers', (client) =>
      client.query(`SELECT 1 FROM payments WHERE ask_at IS NOT NULL UNION ALL SELECT 1 FROM outbox`),
    )
    expect(pending.rowCount).toBe(0)
    expect(unpaid.rowCount).toBe(0)
    expect(undelivered.rowCount).toBe(0)
  })
  const heard = await listener.heard()
  const places = [...(await everywhere()), { name: 'heard', text: JSON.stringify(heard) }]
  expect(leaksIn(places)).toEqual([])
  expect(cryptogramsIn(places, cryptogramHashes(product.runDir))).toEqual([])
  expect(strangersWith(places, people)).toEqual([])
  expect(strangersOfPix(places, pixPeople)).toEqual([])
  const issued = (await issuedSecrets(product)).map(({ value }) => value)
  expect(
    credentialsIn(places, [merchantKey, ...paymentKeys, ...issued, ...paid.authenticationValues]),
  ).toEqual([])
  expect(credentialsIn(places, formsOfSecret(listener.secret))).toEqual([])
  expect(heard.length).toBeGreaterThan(10)
  const named = (part: string) => places.filter(({ name, text }) => name.includes(part) && text !== '').length
  expect(named('table orders')).toBeGreaterThan(4)
  expect(named('table network_token')).toBeGreaterThan(1)
  expect(named('table vouchers')).toBeGreaterThan(1)
  expect(named('table invoices')).toBeGreaterThan(4)
  expect(named('table event_log')).toBeGreaterThan(0)
  expect(named('.log')).toBeGreaterThanOrEqual(6)
  expect(named('sandbox/acquirer-payments')).toBe(1)
  expect(named('answer')).toBeGreaterThan(300)
  expect(named('deliveries')).toBeGreaterThan(0)
})

test('the same search finds planted numbers and secrets, in each encoding, and a customer', async () => {
  const [first, second] = canaries.all
  if (!first || !second) throw new Error('no canaries')
  const { runDir } = product
  const [number] = networkNumbers(runDir)
  const issued = await issuedSecrets(product)
  const cryptogram = Buffer.alloc(20, 3).toString('base64')
  await withDatabase(runDir, 'orders', async (client) => {
    await client.query('CREATE TABLE planted (kept text, raw bytea, doc json)')
    await client.query('INSERT INTO planted (kept) VALUES ($1)', [first.number.slice(0, -4)])
    await client.query('INSERT INTO planted (raw) VALUES ($1)', [Buffer.from(`{"n":"${first.number}"}`)])
    await client.query('INSERT INTO planted (doc) VALUES ($1)', [{ cvv: first.cvv }])
    await client.query('INSERT INTO planted (kept) VALUES ($1)', [second.document])
    await client.query('CREATE TABLE planted_too (kept text, doc json)')
    await client.query('INSERT INTO planted_too VALUES ($1, $2)', [number?.number, { cryptogram }])
  })
  for (const encoding of ['latin1', 'hex', 'base64'] as const) {
    const written = Buffer.from(`card=${first.number}`).toString(encoding)
    appendFileSync(join(runDir, 'logs', 'gateway.log'), `{"msg":"${written}"}\n`)
    for (const [nth, planted] of [merchantKey, ...paymentKeys].entries()) {
      const key = Buffer.from(`key=${planted}`).toString(encoding)
      writeFileSync(join(runDir, 'logs', `planted-${nth}-${encoding}.log`), `{"msg":"${key}"}\n`)
    }
    for (const [nth, form] of formsOfSecret(listener.secret).entries()) {
      // As the database writes bytes, and as a log might.
      const secret = encoding === 'latin1' ? form : Buffer.from(`key=${form}`, 'latin1').toString(encoding)
      writeFileSync(join(runDir, 'logs', `listener-${nth}-${encoding}.log`), secret, 'latin1')
    }
    for (const [nth, { value }] of issued.entries()) {
      const secret = Buffer.from(`{"code":"${value}"}`).toString(encoding)
      writeFileSync(join(runDir, 'logs', `issued-${nth}-${encoding}.log`), `{"msg":"${secret}"}\n`)
    }
  }
  const [person] = people
  appendFileSync(join(runDir, 'logs', 'vault.log'), `{"msg":"${person?.email}"}\n`)
  const [payer] = pixPeople.payers
  appendFileSync(join(runDir, 'logs', 'orders.log'), `{"msg":"${payer?.document} ${payer?.name}"}\n`)
  const places = [...filesOf(runDir), ...(await tablesOf(runDir))]
  expect(strangersWith(places, people)).toEqual(['file logs/vault.log'])
  expect(strangersOfPix(places, pixPeople)).toEqual(['file logs/orders.log', 'file logs/orders.log'])
  for (const [nth, key] of [merchantKey, ...paymentKeys].entries()) {
    expect(credentialsIn(places, [key]).toSorted()).toEqual(
      ['base64', 'hex', 'latin1'].map((encoding) => `file logs/planted-${nth}-${encoding}.log`),
    )
  }
  expect(credentialsIn(places, formsOfSecret(listener.secret)).toSorted()).toEqual(
    [0, 1].flatMap((nth) =>
      ['base64', 'hex', 'latin1'].map((form) => `file logs/listener-${nth}-${form}.log`),
    ),
  )
  const ofIssued = places.filter(({ name }) => name.startsWith('file logs/issued-'))
  for (const [nth, { value }] of issued.entries()) {
    expect(credentialsIn(ofIssued, [value]).toSorted()).toEqual(
      ['base64', 'hex', 'latin1'].map((encoding) => `file logs/issued-${nth}-${encoding}.log`),
    )
  }
  const found = leaksIn(places).map(({ place, kind }) => `${kind} in ${place}`)
  expect(found.filter((each) => each === 'number in table orders public.planted')).toHaveLength(2)
  expect(found.filter((each) => each === 'number in file logs/gateway.log')).toHaveLength(3)
  expect(found).toContain('cvv in table orders public.planted')
  expect(found).toContain('document in table orders public.planted')
  expect(found).toContain('number in table orders public.planted_too')
  const hashes = new Set([createHash('sha256').update(cryptogram).digest('hex')])
  expect(cryptogramsIn(places, hashes)).toEqual(['table orders public.planted_too'])
})
