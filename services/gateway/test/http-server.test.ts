import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '@cofre/testing/testing'
import { readConfig } from '../src/config'
import { startHttpServer, type HttpServer, type HttpServerOptions } from '../src/http/http-server'

// Connections while the server stops, over a bare socket that sends when the test decides.
const OPTIONS: HttpServerOptions = {
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5_000,
  drainMs: 10_000,
  maxConnections: 100,
  baseUrl: 'https://pay.example.com',
}
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** A connection that was answered once and is kept alive. `said` returns the answers so far. */
async function keptAlive(server: HttpServer): Promise<{ socket: Socket; said: () => string }> {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  await once(socket, 'connect')
  socket.write(REQUEST)
  await eventually(() => expect(text).toMatch(/answer \d/))
  return { socket, said: () => text }
}

/** Returns the answer on a new connection until its end: nothing when the server cuts it. */
async function answerOf(server: HttpServer): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  // A request may be unread when the server cuts the connection: the client may see a reset.
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

function start(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  let answers = 0
  return startHttpServer({ ...OPTIONS, ...options }, (_req, res) => res.end(`answer ${(answers += 1)}`))
}

test('a request on a kept connection is answered when the server has just begun to stop', async () => {
  const server = await start()
  const { socket, said } = await keptAlive(server)
  expect(said()).toContain('Connection: keep-alive')
  const closed = server.close()

  socket.write(REQUEST)
  await once(socket, 'end')
  await closed

  const [, second] = said().split('answer 1')
  expect(second).toMatch(/^HTTP\/1.1 200 OK\r\nConnection: close\r\n[^]*answer 2$/)
  expect(second).not.toContain('Keep-Alive')
})

test('answers ask clients not to reuse a connection that was idle for as long as the drain', async () => {
  const server = await start()
  const { socket, said } = await keptAlive(server)
  const [, seconds] = /\r\nKeep-Alive: timeout=(\d+)\r\n/.exec(said()) ?? []
  expect(Number(seconds) * 1_000).toBeLessThan(5_000) // The default of HTTP_DRAIN_MS.
  expect(await answerOf(server)).not.toContain('Keep-Alive')
  socket.destroy()
  await server.close()
})

test('a client that takes nothing is cut; a slow one gets the whole answer, also if the server stalls', async () => {
  // More than the buffers of the system for a client.
  const answer = Buffer.alloc(32 * 1024 * 1024, 'a')
  const ended: Promise<unknown>[] = []
  const unreadMs = 1_000
  const server = await startHttpServer({ ...OPTIONS, unreadMs }, (_req, res) => {
    ended.push(once(res, 'close'))
    res.end(answer)
  })
  const ask = () => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    return socket
  }
  // Twice in a row: the first time, Node sees that bytes were taken since its last look.
  const standStill = () => {
    const until = performance.now() + 1.1 * unreadMs
    while (performance.now() < until);
  }
  const [idle, slow] = [ask().pause(), ask()]
  let [taken, turns] = [0, 0]
  slow.on('data', (bytes: Buffer) => {
    taken += bytes.length
    turns += 1
    if (turns % 100 !== 0) return
    slow.pause()
    setTimeout(() => slow.resume(), 100)
    if (turns > 100) return
    setImmediate(() => {
      standStill()
      setImmediate(standStill)
    })
  })
  await once(slow, 'close')
  expect(taken).toBeGreaterThan(answer.length)
  await Promise.all(ended)
  let read = 0
  idle.on('data', (bytes: Buffer) => (read += bytes.length)).resume()
  await once(idle, 'close')
  expect(read).toBeLessThan(answer.length)
  await server.close()
})

test('while the server drains, each connection closes after its answer, new ones too, and none remains', async () => {
  const server = await start()
  const first = await keptAlive(server)
  const closed = server.close()
  const late = connect(server.port, '127.0.0.1')
  sockets.push(late)
  let said = ''
  late.on('data', (bytes: Buffer) => (said += bytes.toString()))
  late.write(REQUEST)
  await once(late, 'end')
  expect(said).toContain('Connection: close')

  first.socket.write(REQUEST)
  await once(first.socket, 'end')
  await closed
})

test('an idle kept connection is closed at the end of the drain', async () => {
  const server = await start({ drainMs: 200 })
  const { socket } = await keptAlive(server)
  await Promise.all([server.close(), once(socket, 'end')])
})

test('a drain that leaves no time for a late order before the cut is refused', () => {
  // The error lists the other missing settings too.
  const read = (drainMs: string) => () => readConfig({ HTTP_DRAIN_MS: drainMs })
  expect(read('10000')).not.toThrow('HTTP_DRAIN_MS')
  expect(read('10001')).toThrow('HTTP_DRAIN_MS')
})

test('no connection beyond the bound is read; a connection that ends makes room', async () => {
  const server = await start({ maxConnections: 4, maxOfAddress: 2 })
  const kept = [await keptAlive(server), await keptAlive(server)]
  expect(await answerOf(server)).toBe('')

  kept[0]?.socket.destroy()
  await eventually(async () => expect(await answerOf(server)).toContain('200 OK'))
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})
