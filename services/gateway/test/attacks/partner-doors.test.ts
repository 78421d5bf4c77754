import { connect, type Socket } from 'node:net'
import { eventually } from '@cofre/testing/testing'
import { startGateway, type Gateway } from '../support/gateway'

const DOOR = '/partners/bank/events'
const PLACES = 4
const BURST = 6

let gateway: Gateway
const sockets: Socket[] = []
beforeEach(async () => {
  gateway = await startGateway({
    ANONYMOUS_BURST: String(BURST),
    ANONYMOUS_PER_SECOND: '1',
    HTTP_MAX_IN_FLIGHT: String(PLACES),
  })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await gateway.stop()
})

const signed = () => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
  'webhook-signature': `v1,${Buffer.alloc(32, 1).toString('base64')}`,
})
const push = async (headers: Record<string, string>) =>
  (await fetch(`${gateway.url}${DOOR}`, { method: 'POST', headers, body: '{}' })).status

test('without a listener every push is 404: the service is asked once, and strangers are counted', async () => {
  const { next } = gateway.invoices.boletos
  next.isListening = false
  expect([await push({}), await push(signed()), await push({ 'webhook-id': 'x' })]).toEqual([404, 404, 404])
  await eventually(async () => expect(await push(signed())).toBe(429))
  expect([next.refused, next.unsigned]).toEqual([1, 0])
  expect(gateway.invoices.boletos.told).toEqual([])
})

test('forged pushes are refused by their form before the service is asked, and then by their number', async () => {
  const statuses: number[] = []
  const begun = Date.now()
  for (let nth = 0; nth < 5 * BURST; nth++)
    statuses.push(await push({ ...signed(), 'webhook-signature': 'v1,x' }))
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  // A few more than the burst get through: the address regains one each second.
  const regained = Math.ceil((Date.now() - begun) / 1_000)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(BURST + regained)
  expect(gateway.invoices.boletos.told).toEqual([])
  expect(gateway.invoices.boletos.next.unsigned).toBeLessThanOrEqual(1)
})

test('pushes whose bodies never come hold no place: a request with a token is answered', async () => {
  const answers: string[] = []
  const head = Object.entries(signed()).map(([name, value]) => `${name}: ${value}\r\n`)
  for (let nth = 0; nth < 10 * PLACES; nth++) {
    const socket = connect(gateway.port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => answers.push(bytes.toString()))
    socket.write(`POST ${DOOR} HTTP/1.1\r\nHost: x\r\n${head.join('')}Content-Length: 8000\r\n\r\n{`)
  }
  await eventually(() => expect(gateway.invoices.boletos.next.unsigned).toBe(1))
  expect((await gateway.call('GET', '/api/v2/charges')).status).toBe(200)
  await eventually(() => expect(answers).toHaveLength(10 * PLACES))
  expect(answers.filter((each) => !/^HTTP\/1.1 4(00|08|29) /.test(each))).toEqual([])
})
