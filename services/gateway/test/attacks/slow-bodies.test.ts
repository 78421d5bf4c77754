import { connect, type Socket } from 'node:net'
import { eventually } from '@cofre/testing/testing'
import { startGateway, type Gateway } from '../support/gateway'

const PLACES = 4
const OF_TOKEN = 2
const CHARGES = '/api/v2/charges'

let gateway: Gateway
const sockets: Socket[] = []
beforeAll(async () => {
  gateway = await startGateway({
    HTTP_MAX_IN_FLIGHT: String(PLACES),
    HTTP_MAX_IN_FLIGHT_PER_TOKEN: String(OF_TOKEN),
    HTTP_MAX_IN_FLIGHT_PER_ADDRESS: '2',
  })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => gateway.stop())

/** Sends a request whose body never comes. `said` returns the answer so far. */
function stall(head: string, token?: string): { said: () => string; closed: () => boolean } {
  const socket = connect(gateway.port, '127.0.0.1')
  sockets.push(socket)
  let [text, closed] = ['', false]
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  socket.on('close', () => (closed = true))
  socket.on('error', () => {})
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : ''
  socket.write(`${head} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Length: 10\r\n\r\n`)
  return { said: () => text, closed: () => closed }
}

const statusOf = async (token: string) => (await gateway.call('GET', CHARGES, { token })).status

/** Sends requests of one token whose bodies never come, until it has as many as it may. */
function stallUntilRefused() {
  const stalled: ReturnType<typeof stall>[] = []
  return eventually(async () => {
    stalled.push(stall('POST /api/v2/orders/credit-card/authorize', gateway.token))
    expect(await statusOf(gateway.token)).toBe(429)
    return stalled
  })
}

test('a route without a body does not wait for one: it answers, closes the connection, delays nobody', async () => {
  const stalled = Array.from({ length: 10 * PLACES }, () => stall('GET /.well-known/jwks.json'))
  expect(await statusOf(gateway.token)).toBe(200)
  await eventually(() => expect(stalled.filter((each) => !each.closed())).toEqual([]))
  // Requests beyond the limit of the address are refused.
  expect(stalled.filter(({ said }) => !/^HTTP\/1.1 (200|429) /.test(said()))).toEqual([])
  expect(stalled[0]?.said()).toContain('Connection: close')
})

test('bodies that never come hold no place: other tokens are served, and this one keeps its limit', async () => {
  const stalled = await stallUntilRefused()
  const others = await Promise.all(Array.from({ length: OF_TOKEN }, () => statusOf(gateway.other.token)))
  expect(others).toEqual(others.map(() => 200))

  // After the four seconds that a body has.
  await eventually(() => expect(stalled.filter((each) => !each.closed())).toEqual([]))
  expect(stalled.filter(({ said }) => !/^HTTP\/1.1 4(00|08|29) /.test(said()))).toEqual([])
  expect(await statusOf(gateway.token)).toBe(200)
})

test('a client that leaves while its body is awaited leaves no request counted', async () => {
  for (let times = 0; times < 3; times++) {
    await stallUntilRefused()
    for (const socket of sockets.splice(0)) socket.destroy()
    await eventually(async () => expect(await statusOf(gateway.token)).toBe(200))
  }
  const all = await Promise.all(Array.from({ length: OF_TOKEN }, () => statusOf(gateway.token)))
  expect(all).toEqual(all.map(() => 200))
})
