import { invoiceOf, newShop, readInvoice, write, type Shop } from './shop'
import { cardFields, discard, startSystem, type System } from './system'

const CHALLENGED = '4000000000001091'
const VALUE = 'AAABB2gHA1B5EFNjWQcDAAAAAAB='

let system: System
let shop: Shop
beforeAll(async () => {
  system = await startSystem()
  shop = await newShop(system)
})
afterAll(async () => {
  await discard(system)
})

async function newInvoice(): Promise<number> {
  const path = `/api/v2/sellers/${system.ready.sellerId}/invoices`
  const { body } = await write(system, 'POST', path, { body: invoiceOf(shop) })
  return body.id
}

const authorize = (id: number, body: object) =>
  system.api('POST', `/api/v2/invoices/${id}/credit-card/three-d-secure/authorize`, { body })

/** Sends the payer's decision on the issuer's page. Returns the URL that the browser is sent to, and where it ends. */
async function decide(challengeUrl: string, decision: string): Promise<{ returnUrl: string; ends: string }> {
  const answer = await fetch(challengeUrl, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  })
  const returnUrl = answer.headers.get('location') ?? ''
  const back = await fetch(returnUrl, { redirect: 'manual' })
  return { returnUrl, ends: `${back.status} ${back.headers.get('location')}` }
}

const paymentsOf = async (number: string) =>
  (await system.sandbox('GET', '/acquirer/payments')).filter(
    (each: { cardLastFour: string }) => each.cardLastFour === number.slice(-4),
  )

test('the payer passes the issuer’s challenge, and the invoice’s payment has the authentication', async () => {
  const id = await newInvoice()
  const { status, headers, body } = await authorize(id, { card: cardFields(CHALLENGED), mode: 'CHALLENGE' })
  expect([status, body.invoiceId]).toEqual([201, id])
  expect(headers.get('link')).toBe(`<${body.challengeUrl}>; rel="three-d-secure-challenge"`)
  expect(await paymentsOf(CHALLENGED)).toEqual([])

  const { returnUrl, ends } = await decide(body.challengeUrl, 'APPROVE')
  expect(ends).toMatch(/^303 \/checkout\/[\w-]{22}$/)
  expect(await readInvoice(system, id)).toMatchObject({ status: 'PAID' })
  expect(await paymentsOf(CHALLENGED)).toMatchObject([{ status: 2, eci: '05' }])
  const authentication = { eci: '05', acquirerEci: '05', downgraded: false }
  const { transactions } = await readInvoice(system, id)
  expect(transactions).toMatchObject([{ status: 'SUCCEEDED', authentication }])
  const { body: charge } = await system.api('GET', `/api/v2/charges/${transactions?.[0]?.chargeId}`)
  expect(charge.payments).toMatchObject([{ authentication }])

  await fetch(returnUrl, { method: 'POST', redirect: 'manual' })
  expect(await paymentsOf(CHALLENGED)).toHaveLength(1)
})

test('a payer who gives up or declines pays nothing, though the return URL claims success', async () => {
  for (const decision of ['GIVE_UP', 'DECLINE']) {
    const id = await newInvoice()
    const before = (await paymentsOf(CHALLENGED)).length
    const { body } = await authorize(id, { card: cardFields(CHALLENGED), mode: 'CHALLENGE' })
    const [{ returnUrl }] = await system.sandbox('GET', '/three-d-secure/authentications')
    await fetch(`${returnUrl}?transStatus=Y&eci=05`, { redirect: 'manual' })
    await decide(body.challengeUrl, decision)
    expect(await readInvoice(system, id)).toMatchObject({ status: 'OPEN' })
    expect(await paymentsOf(CHALLENGED)).toHaveLength(before)
  }
})

test('a card that needs no challenge pays at once; one rejected or without 3-D Secure pays nothing', async () => {
  const paid = await authorize(await newInvoice(), {
    card: cardFields('4000000000001000'),
    mode: 'CHALLENGE',
  })
  expect([paid.status, paid.body]).toMatchObject([201, { status: 'PAID' }])
  for (const number of ['4000000000001018', '4000000000001117']) {
    const { status, body } = await authorize(await newInvoice(), {
      card: cardFields(number),
      mode: 'CHALLENGE',
    })
    expect([status, body.code]).toEqual([422, 'AUTHENTICATION_FAILED'])
  }
})

test('an authentication by the integrator pays once', async () => {
  const threeDSecure = { authenticationValue: VALUE, eci: '05', version: '2.2.0' }
  const body = { card: cardFields('4111111111111111'), mode: 'AUTHENTICATION', threeDSecure }
  const { status } = await authorize(await newInvoice(), body)
  expect(status).toBe(201)
  expect((await paymentsOf('1111'))[0]).toMatchObject({ eci: '05' })
  const draft = await newInvoice()
  for (let turn = 0; turn < 2; turn += 1) {
    const replayed = await authorize(draft, body)
    expect([replayed.status, replayed.body.code]).toEqual([422, 'AUTHENTICATION_UNUSABLE'])
    expect(await readInvoice(system, draft)).toMatchObject({ status: 'OPEN', charge: null, transactions: [] })
  }
  const wrong = { ...body, threeDSecure: { ...threeDSecure, eci: '02' } }
  expect((await authorize(await newInvoice(), wrong)).body.errors).toMatchObject([
    { pointer: '#/threeDSecure/eci' },
  ])
})

test('nothing is charged while the 3-D Secure server is away; once it is back, the same request goes on', async () => {
  await system.sandbox('POST', '/faults', { partner: 'ACS', kind: 'ANSWER_LOST', times: 1 })
  const id = await newInvoice()
  const body = { card: cardFields(CHALLENGED), mode: 'CHALLENGE' }
  const lost = await authorize(id, body)
  expect([lost.status, lost.body.retryable]).toEqual([503, true])
  const { body: challenge } = await authorize(id, body)
  await system.sandbox('POST', '/faults', { partner: 'ACS', kind: 'HTTP_500', times: 1, queries: true })
  const { returnUrl } = await decide(challenge.challengeUrl, 'APPROVE')
  expect(await readInvoice(system, id)).toMatchObject({ status: 'OPEN' })
  await fetch(returnUrl, { redirect: 'manual' })
  expect(await readInvoice(system, id)).toMatchObject({ status: 'PAID' })
})
