import { BoletoStatus } from '@cofre/proto/invoices/v1/boletos'
import { PUBLIC_ID } from '@cofre/testing/stand-ins/invoices/boletos'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const issue = (invoiceId: number, headers: Record<string, string> = {}) =>
  gateway.call('POST', `/api/v2/invoices/${invoiceId}/boleto`, { headers })

test('a new boleto is answered with 201, and with 200 while it can be paid', async () => {
  const pdfUrl = `${gateway.deps.baseUrl}/boletos/${PUBLIC_ID}.pdf`
  const first = await issue(1)
  expect([first.status, first.headers.get('link')]).toEqual([201, `<${pdfUrl}>; rel="boleto"`])
  expect(first.body).toEqual({
    id: 4,
    status: 'REGISTERED',
    digitableLine: '00190000090123456700400000042176215030000012345',
    barcode: '00192150300000123450000001234567000000004217',
    dueDate: 1_767_225_600_000,
    amountInCents: 12_345,
    pdfUrl,
    warnings: [],
  })
  expect((await issue(1)).status).toBe(200)
})

test('a boleto without an answer of the bank has no digits, and Retry-After', async () => {
  gateway.invoices.boletos.next.status = BoletoStatus.PENDING
  const { status, headers, body } = await issue(2)
  expect([status, headers.get('retry-after')]).toEqual([201, '2'])
  expect(body).toMatchObject({ status: 'PENDING', digitableLine: null, barcode: null })
  gateway.invoices.boletos.next.status = BoletoStatus.REGISTERED
})

test('a boleto is read at its Location until the bank has answered, and listed', async () => {
  const { next } = gateway.invoices.boletos
  next.status = BoletoStatus.PENDING
  const issued = await issue(7)
  next.status = BoletoStatus.REGISTERED
  const location = issued.headers.get('location') ?? ''
  expect(location).toBe(`${gateway.deps.baseUrl}/api/v2/invoices/7/boletos/4`)
  const path = new URL(location).pathname
  const read = await gateway.call('GET', path)
  expect([read.status, read.headers.get('retry-after'), read.body]).toEqual([200, '2', issued.body])
  gateway.invoices.boletos.register(7)
  const registered = await gateway.call('GET', path)
  const pdfUrl = `${gateway.deps.baseUrl}/boletos/${PUBLIC_ID}.pdf`
  expect([registered.headers.get('retry-after'), registered.headers.get('link')]).toEqual([
    null,
    `<${pdfUrl}>; rel="boleto"`,
  ])
  expect(registered.body).toMatchObject({ id: 4, status: 'REGISTERED', digitableLine: expect.any(String) })
  const list = await gateway.call('GET', '/api/v2/invoices/7/boletos')
  expect([list.status, list.body]).toEqual([200, [registered.body]])
})

test.each(['/api/v2/invoices/7/boletos/5', '/api/v2/invoices/8/boletos/4', '/api/v2/invoices/7/boletos/0'])(
  '%s is no boleto of that invoice: 404',
  async (path) => {
    expect((await gateway.call('GET', path)).status).toBe(404)
  },
)

test('a repeated key gets the first answer', async () => {
  const key = { 'Idempotency-Key': 'boleto-1' }
  const first = await issue(3, key)
  const again = await issue(3, key)
  expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
    201,
    'true',
    first.body,
  ])
})

test('anyone who knows its address sees a boleto, and no cache keeps it', async () => {
  const answer = await fetch(`${gateway.url}/boletos/${PUBLIC_ID}.pdf`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-disposition')).toBe('inline; filename="boleto.pdf"')
  expect(await answer.text()).toBe('%PDF-1.3')
})

test.each([
  '/boletos/aaaaaaaaaaaaaaaaaaaaaa.pdf',
  `/boletos/${PUBLIC_ID}`,
  '/boletos/x.pdf',
  '/boletos/..%2f.pdf',
])('%s is no boleto: 404', async (path) => {
  expect((await fetch(`${gateway.url}${path}`)).status).toBe(404)
})

test('money that no invoice accepted is listed, and resolved with a note', async () => {
  const list = await gateway.call('GET', '/api/v2/invoices/unexpected-receipts?resolved=false')
  expect(list.body).toMatchObject({ content: [{ id: 12, reason: 'OVERPAID', unexpectedInCents: 20 }] })
  const resolve = (id: number, body: object) =>
    gateway.call('POST', `/api/v2/invoices/unexpected-receipts/${id}/resolve`, { body })
  expect((await resolve(12, { note: 'Given back.' })).body).toMatchObject({ resolution: 'Given back.' })
  expect((await resolve(13, { note: 'x' })).status).toBe(404)
  expect((await resolve(12, {})).status).toBe(400)
})

test('issuing and reading need their scopes', async () => {
  const reader = await gateway.tokenWith(['invoices:read'])
  const asked = { token: reader.accessToken }
  expect((await gateway.call('POST', '/api/v2/invoices/1/boleto', asked)).status).toBe(403)
  expect((await gateway.call('GET', '/api/v2/invoices/unexpected-receipts', asked)).status).toBe(200)
  expect((await gateway.call('GET', '/api/v2/invoices/3/boletos/4', asked)).status).toBe(200)
  const other = { token: (await gateway.tokenWith(['orders:read'])).accessToken }
  for (const path of ['/api/v2/invoices/3/boletos/4', '/api/v2/invoices/3/boletos']) {
    expect((await gateway.call('GET', path, other)).status).toBe(403)
  }
})
