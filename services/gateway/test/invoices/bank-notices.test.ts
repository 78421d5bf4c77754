import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  const { told, next } = gateway.invoices.boletos
  told.length = 0
  next.isListening = true
})

const seconds = (change = 0) => String(Math.floor(Date.now() / 1_000) + change)
const SIGNED = { 'webhook-id': 'evt_1', 'webhook-signature': `v1,${Buffer.alloc(32, 1).toString('base64')}` }

const tell = (headers: Record<string, string> = {}, body = '{"tipo":"BOLETO_LIQUIDADO"}') =>
  fetch(`${gateway.url}/partners/bank/events`, {
    method: 'POST',
    headers: { 'webhook-timestamp': seconds(), ...SIGNED, ...headers },
    body,
  })

test('a notice goes unchanged to the service, with any content type', async () => {
  const body = '{ "tipo":"BOLETO_LIQUIDADO",  "é":1 }'
  expect((await tell({ 'content-type': 'text/plain' }, body)).status).toBe(204)
  const [notice] = gateway.invoices.boletos.told
  expect(notice?.body.toString()).toBe(body)
  expect(notice?.headers).toEqual({ ...SIGNED, 'webhook-timestamp': expect.stringMatching(/^\d{10}$/) })
})

test.each([
  ['no signature', { 'webhook-signature': '' }],
  ['a signature of another form', { 'webhook-signature': 'v1,abc' }],
  ['a signature of another kind', { 'webhook-signature': `v2,${'A'.repeat(43)}=` }],
  ['no time', { 'webhook-timestamp': '' }],
  ['a time in milliseconds', { 'webhook-timestamp': `${seconds()}000` }],
  ['a time long ago', { 'webhook-timestamp': seconds(-301) }],
  ['a time ahead', { 'webhook-timestamp': seconds(3_600) }],
  ['an id with blanks', { 'webhook-id': 'a b' }],
])('a notice with %s is 401, and the service is not asked', async (_what, headers) => {
  expect((await tell(headers)).status).toBe(401)
  expect(gateway.invoices.boletos.told).toEqual([])
})

test('a notice that the bank did not sign is 401', async () => {
  expect((await tell({ 'webhook-id': 'evt_forged' })).status).toBe(401)
})

test('a notice of more than 8 KiB is 413, and the service is not asked', async () => {
  expect((await tell({}, 'x'.repeat(8_193))).status).toBe(413)
  expect(gateway.invoices.boletos.told).toEqual([])
  expect((await tell({}, 'x'.repeat(8_192))).status).toBe(204)
})

test('without a listener for the bank, a notice is 404', async () => {
  gateway.invoices.boletos.next.isListening = false
  expect((await tell()).status).toBe(404)
})
