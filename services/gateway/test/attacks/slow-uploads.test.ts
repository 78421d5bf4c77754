import { connect, type Socket } from 'node:net'
import { eventually } from '@cofre/testing/testing'
import { order } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

/** Two of them wait for one kind of partner. */
const PLACES = 8
const EVIDENCE = '/api/v2/disputes/1/evidence'

let gateway: Gateway
const sockets: Socket[] = []
beforeAll(async () => {
  gateway = await startGateway({ HTTP_MAX_IN_FLIGHT: String(PLACES) })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await gateway.stop()
})

/** Sends the head of a form, and the rest never. */
function uploadSlowly(): void {
  const socket = connect(gateway.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  const head = [
    `POST ${EVIDENCE} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${gateway.other.token}`,
    'content-type: multipart/form-data; boundary=x',
    'content-length: 1000000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n--x\r\n`)
}

test('files that come slowly hold no place of card charges, nor those of another seller', async () => {
  for (let nth = 0; nth < PLACES; nth++) uploadSlowly()
  const upload = (token?: string) =>
    gateway.call('POST', EVIDENCE, {
      raw: '--x--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      ...(token ? { token } : {}),
    })
  await eventually(async () => expect((await upload(gateway.other.token)).status).toBe(429))
  const { body } = await upload(gateway.other.token)
  expect(body.detail).toBe('Too many files of this seller are coming at once. Nothing was done.')
  // Its form lacks the file: it was read.
  expect((await upload()).status).toBe(400)
  const charge = await gateway.call('POST', '/api/v2/orders/credit-card/authorize', { body: order() })
  expect(charge.status).toBe(201)
  expect((await gateway.call('GET', '/api/v2/charges')).status).toBe(200)
})
