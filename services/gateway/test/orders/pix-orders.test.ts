import { PIX_TOKEN } from '@cofre/testing/stand-ins/invoices/pix'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const PATH = '/api/v2/orders/pix'
const ORDER = { amount: 12_345, customer: { name: 'Ana Souza', document: '12345678909' } }

test('an order is answered 201 with its code, its URL, and links to what its state allows', async () => {
  const { sellerId, deps } = gateway
  const { status, headers, body } = await gateway.call('POST', `/api/v2/sellers/${sellerId}/orders/pix`, {
    body: { ...ORDER, paymentMethod: 'PIX', expiresInSeconds: 900, orderReference: 'A-1' },
  })
  const location = `${deps.baseUrl}/api/v2/charges/${body.id}`
  expect([status, headers.get('location')]).toEqual([201, location])
  expect(headers.get('retry-after')).toBe('15')
  expect(headers.get('link')).toBe(
    `<${location}/cancel>; rel="cancel", <${location}/metadata>; rel="metadata"`,
  )
  const [payment] = body.payments
  const { txid } = payment.pix
  expect(txid).toMatch(/^[a-zA-Z0-9]{26,35}$/)
  expect(payment).toMatchObject({
    paymentMethod: 'PIX',
    card: null,
    pix: {
      copyAndPaste: `code of ${body.id}`,
      qrCodeUrl: `${deps.baseUrl}/pix/orders/${txid}.svg`,
      qrCodePngUrl: `${deps.baseUrl}/pix/orders/${txid}.png`,
      expiresAt: body.createdAt + 900_000,
      payer: null,
      endToEndId: null,
    },
  })
  expect((await gateway.call('GET', `/api/v2/charges/${body.id}`)).body.payments).toEqual(body.payments)
  for (const [kind, type] of [
    ['svg', 'image/svg+xml'],
    ['png', 'image/png'],
  ]) {
    const picture = await fetch(`${gateway.url}/pix/orders/${txid}.${kind}`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, type])
  }
  expect((await fetch(`${gateway.url}/pix/orders/ORDERUNKNOWN22222222222222222.svg`)).status).toBe(404)
})

test('without a time an order can be paid for an hour; its times and amount have bounds', async () => {
  const { body } = await gateway.call('POST', PATH, { body: ORDER })
  expect(body.payments[0].pix.expiresAt).toBe(body.createdAt + 3_600_000)
  for (const [member, value] of [
    ['expiresInSeconds', 59],
    ['expiresInSeconds', 86_401],
    ['amount', 0],
    ['paymentMethod', 'CREDIT_CARD'],
  ] as const) {
    const refused = await gateway.call('POST', PATH, { body: { ...ORDER, [member]: value } })
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([400, `#/${member}`])
  }
})

test('a repeated key gets the first answer', async () => {
  const once = () => gateway.call('POST', PATH, { body: ORDER, headers: { 'idempotency-key': 'pix-1' } })
  const first = await once()
  expect((await once()).body).toEqual(first.body)
})

test('a bank’s notice reaches the service of orders too, and only under the secret of an account', async () => {
  const tell = (token: string) =>
    fetch(`${gateway.url}/partners/pix/${token}/pix`, { method: 'POST', body: '{"pix":[{"txid":"ORDER1"}]}' })
  expect((await tell('n'.repeat(44))).status).toBe(404)
  expect(gateway.orders.hints).toEqual([])
  expect((await tell(PIX_TOKEN)).status).toBe(204)
  expect(gateway.orders.hints).toEqual(['{"pix":[{"txid":"ORDER1"}]}'])
})

test('an order that waits is cancelled by its seller, and by no other', async () => {
  const { body: made } = await gateway.call('POST', PATH, { body: ORDER })
  const cancel = (token: string) => gateway.call('POST', `/api/v2/charges/${made.id}/cancel`, { token })
  expect((await cancel(gateway.other.token)).status).toBe(404)
  const { status, body } = await cancel(gateway.token)
  expect([status, body.id, body.status]).toEqual([200, made.id, 'EXPIRED'])
})
