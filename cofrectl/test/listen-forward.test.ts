import { createServer as createSecureServer } from 'node:https'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { createAuthority } from '@cofre/testing/certificates'
import { startSilentReceivers } from '@cofre/testing/silent-receivers'
import { forward, type Heard } from '../src/webhooks/listen-forward'

let receivers: Awaited<ReturnType<typeof startSilentReceivers>>
const servers: Server[] = []
beforeAll(async () => {
  receivers = await startSilentReceivers()
})
afterAll(async () => {
  await receivers.close()
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const EVENT: Heard = {
  number: 1,
  webhookId: 'evt_1',
  type: 'charge.captured',
  resource: { kind: 'charge', id: 981 },
  headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
  body: '{"id":"evt_1"}',
}
const forwardTo = (url: string, skipVerify = false) => forward(EVENT, { url: `${url}/hooks`, skipVerify })

test.each([
  'CONNECTION_REFUSED',
  'CERTIFICATE_NOT_TRUSTED',
  'TLS_FAILED',
  'ANSWER_CUT_OFF',
  'NOT_HTTP',
  'HEADERS_TOO_LONG',
] as const)('a server without an answer is shown with the reason in words and its code: %s', async (code) => {
  const forwarded = await forwardTo(receivers.urls[code])
  expect(forwarded).toMatchObject({ errorCode: code, error: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(forwarded).not.toHaveProperty('status')
})

test('a host name that nobody knows is shown as such', async () => {
  expect(await forwardTo('http://shop.invalid')).toMatchObject({ errorCode: 'NAME_UNKNOWN' })
})

test('a server with a certificate of its own gets the event when the developer asks for no verification', async () => {
  const got: unknown[] = []
  const pair = await (await createAuthority()).issue('laptop')
  const server = createSecureServer(pair, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push([request.method, request.url, request.headers['webhook-id'], Buffer.concat(chunks).toString()])
      response.writeHead(201).end()
    })
  })
  const url = `https://127.0.0.1:${await listen(server)}`
  expect(await forwardTo(url)).toMatchObject({ errorCode: 'CERTIFICATE_NOT_TRUSTED' })
  expect(got).toEqual([])
  expect(await forwardTo(url, true)).toMatchObject({ status: 201 })
  expect(got).toEqual([['POST', '/hooks', 'evt_1', EVENT.body]])
})

test.each([
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 200],
  ['HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', 204],
  ['HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n', 302],
])('the last answer counts, and no redirect is followed: %j', async (text, status) => {
  let calls = 0
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .on('data', () => {
        calls += 1
        socket.end(text)
      }),
  )
  expect(await forwardTo(`http://127.0.0.1:${await listen(server)}`)).toMatchObject({ status })
  expect(calls).toBe(1)
})
