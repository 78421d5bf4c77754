import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@cofre/testing/testing'
import { cardToken, customer, discard } from '../journeys/system'
import { withDatabase } from './places'
import { JSON_TYPE, startProduct, type Product } from './product'

// The gateway accepts addresses that the notifier, which calls them, must then refuse by itself.
const GATEWAY_ALLOWS = '127.0.0.2/32,127.0.0.3/32,localhost'
const NOTIFIER_ALLOWS = '127.0.0.3/32'
const REDIRECTOR = '127.0.0.3'

let product: Product
let listener: Server
let port: number
let token: string
/** The addresses of this machine that got a request. */
const reached: string[] = []

beforeAll(async () => {
  listener = createServer((request, response) => {
    const to = request.socket.localAddress?.replace('::ffff:', '') ?? ''
    reached.push(to)
    response.writeHead(to === REDIRECTOR ? 302 : 200, { location: `http://127.0.0.1:${port}/private` }).end()
  })
  // Every address of the machine, IPv4 and IPv6.
  listener.listen(0, '::')
  await once(listener, 'listening')
  port = (listener.address() as AddressInfo).port
  product = await startProduct({
    gateway: { OUTBOUND_ALLOWED: GATEWAY_ALLOWS },
    notifier: { OUTBOUND_ALLOWED: NOTIFIER_ALLOWS },
  })
  token = await cardToken(product, 0)
})
afterAll(async () => {
  listener.close()
  listener.closeAllConnections()
  await discard(product)
})

function charge(notificationUrl: string) {
  const body = { amount: 100, installments: 1, customer, cardToken: { token }, notificationUrl }
  return product.ask('POST', '/api/v2/orders/credit-card/charge', {
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  })
}

const NOT_PUBLIC = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  'hook.localhost',
  'vault',
  'vault.cofre.svc.cluster.local',
  'metadata.google.internal',
]
const MALFORMED = ['shop:secret@127.0.0.1', '127.0.0.1\\@example.test', '']
const OTHER_SCHEMES = ['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://127.0.0.1/', 'javascript:alert(1)']

test.each(NOT_PUBLIC)('a charge that would notify http://%s is refused', async (host) => {
  const { status, text } = await charge(`http://${host}:${port}/hook`)
  expect([status, JSON.parse(text).errors]).toMatchObject([400, [{ pointer: '#/notificationUrl' }]])
  expect(text).not.toContain(`${port}/hook`)
})

test.each([...MALFORMED.map((host) => `http://${host}`), ...OTHER_SCHEMES])('%s is refused', async (url) => {
  const { status, text } = await charge(url)
  expect([status, JSON.parse(text).errors]).toMatchObject([400, [{ pointer: '#/notificationUrl' }]])
})

test('an address that the gateway accepts is checked again before the call, by address and by name', async () => {
  const urls = ['127.0.0.2', 'localhost', 'LOCALHOST'].map((host) => `http://${host}:${port}/late`)
  for (const url of urls) expect((await charge(url)).status).toBe(201)
  const outcomes = await attemptsAt('/late', urls.length)
  expect(outcomes.every(({ status, error }) => status === null && error !== null)).toBe(true)
})

test('a redirection to a private address is not followed', async () => {
  expect((await charge(`http://${REDIRECTOR}:${port}/moved`)).status).toBe(201)
  expect(await attemptsAt('/moved', 1)).toMatchObject([{ status: 302 }])
})

test('of all these addresses only the allowed one was reached', () => {
  expect(new Set(reached)).toEqual(new Set([REDIRECTOR]))
})

/** The outcomes of the first attempts at URLs with this end, once there are this many. */
async function attemptsAt(
  end: string,
  count: number,
): Promise<{ status: number | null; error: string | null }[]> {
  return eventually(async () => {
    const { rows } = await withDatabase(product.runDir, 'notifier', (client) =>
      client.query(
        `SELECT a.status, a.error FROM attempts a JOIN deliveries d ON d.id = a.delivery_id
         WHERE d.url LIKE '%' || $1 AND a.number = 1`,
        [end],
      ),
    )
    expect(rows.length).toBeGreaterThanOrEqual(count)
    return rows
  })
}
