import { connect, type Socket } from 'node:net'
import { Customer } from '@cofre/proto/invoices/v1/customers'
import { eventually } from '@cofre/testing/testing'
import { startGateway, type Gateway } from '../support/gateway'

const PLACES = 4
/** The customers together make an answer that is larger than the buffers of the system for a client. */
const CUSTOMERS = 40
const NAME = 'a'.repeat(256 * 1024)
const LIST = `/api/v2/customers?size=${CUSTOMERS}`

let gateway: Gateway
const sockets: Socket[] = []
beforeAll(async () => {
  gateway = await startGateway({
    HTTP_MAX_IN_FLIGHT: String(PLACES),
    HTTP_MAX_IN_FLIGHT_PER_TOKEN: '10',
    ANONYMOUS_BURST: '30',
    ANONYMOUS_PER_SECOND: '1',
    HTTP_MAX_IN_FLIGHT_PER_ADDRESS: '3',
  })
  for (let id = 1; id <= 2 * CUSTOMERS; id += 1)
    gateway.invoices.customers.set(
      id,
      Customer.fromPartial({
        id,
        sellerId: id % 2 ? gateway.sellerId : gateway.other.sellerId,
        fields: { name: NAME, document: '12345678909' },
      }),
    )
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => gateway.stop())

/** Sends a request and reads only the beginning of the answer. */
async function askAndRest(path: string, token?: string): Promise<string> {
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : ''
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`)
  return new Promise((resolve) =>
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      resolve(bytes.toString().slice(9, 12))
    }),
  )
}

test('answers that nobody reads hold no place: other requests are served', async () => {
  const begun = []
  for (const token of [gateway.token, gateway.other.token]) {
    for (let n = 0; n < PLACES / 2; n += 1) begun.push(await askAndRest(LIST, token))
  }
  expect(begun).toEqual(begun.map(() => '200'))
  expect((await fetch(`${gateway.url}/.well-known/jwks.json`)).status).toBe(200)
})

test('a seller leaves places to others, however many tokens it makes', async () => {
  const half = await startGateway({ HTTP_MAX_IN_FLIGHT: '2', HTTP_MAX_IN_FLIGHT_PER_TOKEN: '10' })
  await eventually(async () => {
    const line = connect(half.port, '127.0.0.1').on('error', () => {})
    sockets.push(line)
    line.write(
      `POST /api/v2/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${half.token}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`,
    )
    const { accessToken: token } = await half.tokenWith([])
    const { status, body } = await half.call('GET', '/api/v2/charges', { token })
    expect([status, body.detail]).toEqual([
      429,
      'Too many requests from this seller are running at once. Nothing was done.',
    ])
  })
  expect((await half.call('GET', '/api/v2/charges', { token: half.other.token })).status).toBe(200)
  for (const socket of sockets.splice(0)) socket.destroy()
  await half.stop()
})

test.each(['/docs/reference/invoices', '/portal/login'])(
  '%s counts as a request of a stranger, both at once and in total',
  async (path) => {
    const statuses = []
    for (let n = 0; n < 40; n += 1) {
      const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual' })
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    expect(statuses).toContain(429)
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
  },
)

test('an overlong address is not remembered for after the sign-in', async () => {
  const own = await startGateway()
  const wanted = async (path: string) => {
    const { headers } = await fetch(`${own.url}/portal${path}`, { redirect: 'manual' })
    return headers.get('location')
  }
  expect(await wanted('/charges?status=PAID')).toContain('next=')
  expect(await wanted(`/${'1.'.repeat(7_000)}`)).not.toContain('next=')
  await own.stop()
})
