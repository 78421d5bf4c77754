import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import { createHttpSender } from '../../src/deliveries/http-sender'

const loopback = outboundSetting.parse('127.0.0.0/8')
const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' })

describe('interim answers that nobody asked for', () => {
  /** A receiver that sends these bytes for each message, piece by piece. */
  async function startRaw(pieces: string[]) {
    let messages = 0
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.setNoDelay())
      const answer = async () => {
        for (const piece of pieces) {
          socket.write(piece)
          await setImmediate()
        }
      }
      socket.on('data', () => {
        messages += 1
        void answer()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      messages: () => messages,
      connections: () => sockets.size,
      close: () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    }
  }
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
  const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: chat\r\n\r\n'
  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  const EMPTY = 'HTTP/1.1 204 No Content\r\n\r\n'
  const EARLY = 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'

  test.each([
    ['100', [CONTINUE, OK], { status: 200, response: 'ok' }],
    ['100 in one piece with the answer', [CONTINUE + OK], { status: 200, response: 'ok' }],
    ['100, cut anywhere', (CONTINUE + OK).split(''), { status: 200, response: 'ok' }],
    ['100 twice', [CONTINUE + CONTINUE, OK], { status: 200, response: 'ok' }],
    [
      '100 with headers',
      ['HTTP/1.1 100 Continue\r\nserver: old\r\n\r\n', EMPTY],
      { status: 204, response: '' },
    ],
    ['102 and 103', [EARLY, EMPTY], { status: 204, response: '' }],
    [
      '100 before a failure',
      [CONTINUE, 'HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n'],
      { status: 500, response: '' },
    ],
  ])('%s are read past, and the message is sent once', async (_name, pieces, outcome) => {
    const raw = await startRaw(pieces)
    const sender = createHttpSender({ allowed: loopback })
    expect(await sender.send(message(raw.url))).toEqual(outcome)
    expect(await sender.send(message(raw.url))).toEqual(outcome)
    expect([raw.messages(), raw.connections()]).toEqual([2, 1])
    raw.close()
  })

  test.each([
    ['a change of protocol', [SWITCH], 'UND_ERR_SOCKET'],
    ['nothing but 100', [CONTINUE], 'timeout'],
  ])('%s is no answer', async (_name, pieces, error) => {
    const raw = await startRaw(pieces)
    const sender = createHttpSender({ allowed: loopback, timeoutMs: 1_000 })
    expect(await sender.send(message(raw.url))).toEqual({ error })
    expect(raw.messages()).toBe(1)
    raw.close()
  })
})
