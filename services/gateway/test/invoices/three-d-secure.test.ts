import { CHALLENGE_URL } from '@cofre/testing/stand-ins/invoices/three-d-secure'
import { card as openCard, newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const VALUE = 'AAABB2gHA1B5EFNjWQcDAAAAAAB='
const threeDSecure = { authenticationValue: VALUE, eci: '05', version: '2.2.0' }
const asked = () => gateway.invoices.asked.threeDSecure.start.at(-1)

async function newInvoiceId(): Promise<number> {
  const path = `/api/v2/sellers/${gateway.sellerId}/invoices`
  const { body } = await gateway.call('POST', path, { body: newInvoice })
  return body.id
}
const pathOf = (id: number) => `/api/v2/invoices/${id}/credit-card/three-d-secure/authorize`
const authorize = (id: number, body: object, headers = {}) =>
  gateway.call('POST', pathOf(id), { body, headers })

test('with the integrator’s own authentication, the invoice is paid and the answer is the charge', async () => {
  const id = await newInvoiceId()
  const { status, headers, body } = await authorize(id, {
    cardId: 41,
    installments: 3,
    mode: 'AUTHENTICATION',
    threeDSecure: { ...threeDSecure, eci: '5' },
  })
  expect([status, body]).toMatchObject([201, { invoiceId: id, status: 'PAID' }])
  const url = `https://pay.example.com/api/v2/invoices/${id}/charges/latest`
  expect([headers.get('location'), headers.get('link')]).toEqual([url, `<${url}>; rel="charge"`])
  expect(asked()).toMatchObject({
    merchantName: expect.stringMatching(/./),
    payment: {
      sellerId: gateway.sellerId,
      invoiceId: id,
      cardId: 41,
      installments: 3,
      authentication: { eci: '05', version: '2.2.0', authenticationValue: VALUE, referenceId: '' },
    },
  })
  expect(JSON.stringify(body)).not.toContain(VALUE)
})

test('a challenge is answered with the issuer’s page, and again under the same key', async () => {
  const id = await newInvoiceId()
  const body = { card: openCard, installments: 2, mode: 'CHALLENGE' }
  const key = { 'idempotency-key': 'challenged' }
  const first = await authorize(id, body, key)
  expect([first.status, first.body]).toMatchObject([
    201,
    { invoiceId: id, challengeUrl: CHALLENGE_URL, expiresAt: 4_102_444_800_000 },
  ])
  expect(first.headers.get('link')).toBe(`<${CHALLENGE_URL}>; rel="three-d-secure-challenge"`)
  expect(asked()?.payment).toMatchObject({ card: { pointer: '#/card' }, authentication: undefined })
  const again = await authorize(id, body, key)
  expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
    201,
    first.body,
    'true',
  ])
  const found = await gateway.call('GET', '/api/v2/requests/challenged')
  expect(found.body).toMatchObject({ state: 'DONE', status: 201 })
})

test('without a challenge the invoice is paid at once; a payer who is not authenticated is refused', async () => {
  const paid = await authorize(await newInvoiceId(), { cardId: 41, mode: 'CHALLENGE' })
  expect([paid.status, paid.body]).toMatchObject([201, { status: 'PAID' }])
  const id = await newInvoiceId()
  const refused = await authorize(id, { cardId: 41, installments: 12, mode: 'CHALLENGE' })
  expect([refused.status, refused.body.code]).toEqual([422, 'AUTHENTICATION_FAILED'])
})

test.each<[string, object]>([
  ['#/threeDSecure', { mode: 'AUTHENTICATION' }],
  ['#/threeDSecure', {}],
  ['#/threeDSecure', { mode: 'CHALLENGE', threeDSecure }],
  ['#/mode', { mode: 'DATA_ONLY', threeDSecure }],
  ['#/threeDSecure/eci', { threeDSecure: { ...threeDSecure, eci: '005' } }],
  ['#/threeDSecure/version', { threeDSecure: { ...threeDSecure, version: '1.0.2' } }],
  ['#/threeDSecure/authenticationValue', { threeDSecure: { ...threeDSecure, authenticationValue: 'short' } }],
  ['#/threeDSecure/xid', { threeDSecure: { ...threeDSecure, xid: VALUE } }],
])('a fault of %s is refused', async (pointer, change) => {
  const { status, body } = await authorize(await newInvoiceId(), { cardId: 41, ...change })
  expect([status, body.errors]).toMatchObject([400, [{ pointer }]])
  expect(JSON.stringify(body)).not.toContain(VALUE)
})

const PAGE = 'P'.repeat(22)
const KNOWN = 'A'.repeat(22)
const returnOf = (challengeId: string) => `/checkout/${PAGE}/three-d-secure/${challengeId}`
const back = (path: string, method: 'GET' | 'POST') =>
  fetch(`${gateway.url}${path}`, { method, redirect: 'manual' })

test.each(['GET', 'POST'] as const)(
  'a payer’s browser that returns (%s) is led to the page',
  async (method) => {
    const { status, headers } = await back(`${returnOf(KNOWN)}?transStatus=Y`, method)
    expect([status, headers.get('location')]).toEqual([303, `/checkout/${PAGE}`])
    expect(gateway.invoices.asked.threeDSecure.finish.at(-1)).toEqual({ publicId: PAGE, challengeId: KNOWN })
  },
)

test('a return from an unknown challenge is 404, and other methods are refused', async () => {
  for (const id of ['B'.repeat(22), 'short']) {
    expect((await gateway.call('GET', returnOf(id), { token: null })).status).toBe(404)
  }
  const { status, headers } = await gateway.call('PUT', returnOf(KNOWN), { token: null })
  expect([status, headers.get('allow')]).toEqual([405, 'GET, POST'])
})

test('the payer is led back even when the service does not answer', async () => {
  gateway.invoices.hooks.onCall = () => {
    throw new Error('gone')
  }
  const { status } = await back(returnOf(KNOWN), 'GET')
  gateway.invoices.hooks.onCall = () => {}
  expect(status).toBe(303)
})
