import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { problemSchema } from '@cofre/api/problem'
import { eventually } from '@cofre/testing/testing'
import type { Refusal } from '../../src/http/client-errors'
import { startHttpServer, type HttpServer } from '../../src/http/http-server'
import { readBody } from '../../src/http/read-body'

const told: Refusal[] = []
/** Requests that the listener has not answered yet. */
const waiting: (() => void)[] = []
let server: HttpServer
beforeAll(async () => {
  server = await startHttpServer(
    {
      host: '127.0.0.1',
      port: 0,
      timeoutMs: 5_000,
      drainMs: 0,
      maxConnections: 100,
      baseUrl: 'https://pay.example.com',
      tellRefusal: (refusal) => told.push(refusal),
    },
    (req, res) => void answer(req, res),
  )
})
afterAll(() => server.close())

/** Answers with the length of the body, a request to `/slow` once the test says so. */
async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await readBody(req, res).catch((error: Error) => error)
  if (req.socket.destroyed) return
  if (req.url === '/slow') await new Promise<void>((resolve) => waiting.push(resolve))
  if (body instanceof Error) res.writeHead(413, { Connection: 'close' }).end(body.message)
  else res.end(`took ${body.length}`)
}

/** Sends bytes; `said` returns the answers so far, and `whole` all of them once the connection closes. */
function send(text: string) {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {})
  let all = ''
  socket.on('data', (bytes: Buffer) => (all += bytes.toString()))
  socket.write(text)
  return { socket, said: () => all, whole: () => once(socket, 'close').then(() => all) }
}

const post = (body: string, length: number, path = '/') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`

/** Returns the problem at the end of what the server said. */
function problemOf(said: string) {
  const [head = '', body = ''] = said.slice(said.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n')
  const problem = problemSchema.parse(JSON.parse(body))
  expect(head).toContain(`HTTP/1.1 ${problem.status} `)
  expect(head).toContain('Content-Type: application/problem+json')
  expect(head).toContain(`X-Request-Id: ${problem.requestId}`)
  expect(head).toContain('Connection: close')
  return problem
}

test.each([
  ['a NUL', '{}\0'],
  ['a closing brace', '{}}'],
  ['two NULs', '{}\0\0'],
])('%s behind a body: the request is answered first, then comes 400 with a problem', async (_what, bytes) => {
  const { said, whole } = send(post(bytes, 2, '/slow'))
  await eventually(() => expect(waiting).toHaveLength(1))
  expect(said()).toBe('')
  waiting.splice(0).forEach((go) => go())
  const all = await whole()
  expect(all).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*took 2HTTP\/1\.1 400 Bad Request\r\n/)
  const { code, detail, requestId } = problemOf(all)
  expect([code, detail]).toEqual([
    'MALFORMED_REQUEST',
    expect.stringContaining('Content-Length is too small'),
  ])
  expect(told.at(-1)).toMatchObject({ requestId, status: 400, code: 'MALFORMED_REQUEST' })
})

test('bytes that come later, while the request is still in flight, do not cut its answer', async () => {
  const { socket, whole } = send(post('{}', 2, '/slow'))
  await eventually(() => expect(waiting).toHaveLength(1))
  const before = told.length
  socket.write('}')
  socket.write('}}}')
  // The server has read the bytes once another request is answered that was sent behind them.
  await send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n').whole()
  waiting.splice(0).forEach((go) => go())
  expect(await whole()).toMatch(/took 2HTTP\/1\.1 400 /)
  expect(told).toHaveLength(before + 1)
})

test.each([
  ['no HTTP', 'THIS IS NOT HTTP\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'a chunk without its length',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    400,
    'MALFORMED_REQUEST',
  ],
  [
    'headers of 40 KB',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
])('%s is answered with a problem', async (_what, bytes, status, code) => {
  expect(problemOf(await send(bytes).whole())).toMatchObject({ status, code })
})

test('a head that does not come is answered with 408 and a problem', async () => {
  expect(problemOf(await send('GET / HTTP/1.1\r\nHost').whole())).toMatchObject({
    status: 408,
    code: 'REQUEST_TIMEOUT',
    retryable: true,
  })
})

const expecting = (length: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`

test('a body that is too large is refused before it is sent, without 100 Continue', async () => {
  const said = await send(expecting(300_000)).whole()
  expect(said).toMatch(/^HTTP\/1\.1 413 [^]*This body has 300000 bytes\. At most 262144 are accepted\./)
})

test('a body that fits is awaited with 100 Continue', async () => {
  const { socket, said } = send(expecting(2))
  await eventually(() => expect(said()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/))
  socket.write('{}')
  await eventually(() => expect(said()).toMatch(/took 2$/))
  socket.destroy()
})
