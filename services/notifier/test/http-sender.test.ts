import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import { createTestTls, eventually } from '@cofre/testing/testing'
import { createHttpSender } from '../src/deliveries/http-sender'
import { startReceiver, type Receiver } from './support/receiver'

const nothing = outboundSetting.parse('')
const loopback = outboundSetting.parse('127.0.0.0/8')

let tls: Awaited<ReturnType<typeof createTestTls>>
let receiver: Receiver
let secure: Receiver
beforeAll(async () => {
  tls = await createTestTls()
  receiver = await startReceiver()
  secure = await startReceiver(await tls.authority.issue('shop', { hosts: ['shop.example'] }))
})
afterAll(() => Promise.all([receiver.close(), secure.close()]))
beforeEach(() => {
  for (const each of [receiver, secure]) {
    each.received.length = 0
    each.respond(200)
  }
})

/** Names as the test wants them to resolve. */
function names(...answers: string[][]) {
  let asked = 0
  const resolve = async (): Promise<LookupAddress[]> => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  return { resolve, asked: () => asked }
}

const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' })

test.each([
  'http://127.0.0.1',
  'http://127.1',
  'http://2130706433',
  'http://0x7f000001',
  'http://017700000001',
  'http://①②⑦.0.0.1',
  'http://0',
  'http://localhost',
  'http://LOCALHOST.',
  'http://hook.localhost',
  'http://[::1]',
  'http://[::ffff:127.0.0.1]',
  'http://[64:ff9b::7f00:1]',
])('%s is never called', async (origin) => {
  const before = receiver.connections()
  const sender = createHttpSender({ allowed: nothing })
  expect(await sender.send(message(`${origin}:${receiver.port}/hook`))).toEqual({ error: 'refused_address' })
  expect(receiver.connections()).toBe(before)
})

test.each([
  [['127.0.0.1']],
  [['10.0.0.1']],
  [['169.254.169.254']],
  [['fd00:ec2::254']],
  [['::ffff:127.0.0.1']],
  [['93.184.215.14', '127.0.0.1']],
  [['127.0.0.1', '93.184.215.14']],
  [[]],
])('a name that resolves to %p is never called', async (addresses) => {
  const before = receiver.connections()
  const sender = createHttpSender({ allowed: nothing, resolve: names(addresses).resolve })
  const outcome = await sender.send(message(`http://shop.example:${receiver.port}/hook`))
  expect(outcome).toEqual({ error: 'refused_address' })
  expect(receiver.connections()).toBe(before)
})

test('a name is resolved once for each message, and the connection goes where that answer said', async () => {
  const dns = names(['127.0.0.1'], ['10.0.0.1'])
  const sender = createHttpSender({ allowed: loopback, resolve: dns.resolve })
  const url = `http://shop.example:${receiver.port}/hook?a=1`
  expect(await sender.send(message(url))).toMatchObject({ status: 200 })
  expect(dns.asked()).toBe(1)
  expect(receiver.received).toMatchObject([
    { method: 'POST', path: '/hook?a=1', headers: { host: `shop.example:${receiver.port}` } },
  ])
  expect(await sender.send(message(url))).toEqual({ error: 'refused_address' })
  expect(dns.asked()).toBe(2)
  expect(receiver.received).toHaveLength(1)
})

test('over TLS the certificate must match the name and come from a trusted authority', async () => {
  const { resolve } = names(['127.0.0.1'])
  const url = `https://shop.example:${secure.port}/hook`
  const trusting = createHttpSender({ allowed: loopback, ca: tls.authority.cert, resolve })
  expect(await trusting.send(message(url))).toMatchObject({ status: 200 })
  expect(await trusting.send(message(`https://other.example:${secure.port}/`))).toEqual({
    error: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  const usual = createHttpSender({ allowed: loopback, resolve })
  expect(await usual.send(message(url))).toEqual({ error: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  expect(secure.received).toHaveLength(1)
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) is an answer and is not followed', async (status) => {
  receiver.respond((_received, response) =>
    response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end(),
  )
  const sender = createHttpSender({ allowed: loopback })
  expect(await sender.send(message(`${receiver.url}/hook`))).toEqual({ status, response: '' })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test('an answer that does not come in time is a timeout, and the connection is closed', async () => {
  const closed = new Promise<void>((resolve) =>
    receiver.respond((_received, response) => response.on('close', resolve)),
  )
  const sender = createHttpSender({ allowed: loopback, timeoutMs: 2_000 })
  expect(await sender.send(message(receiver.url))).toEqual({ error: 'timeout' })
  await closed
})

test('a name that does not resolve in time is a timeout too', async () => {
  const resolve = () => new Promise<LookupAddress[]>(() => {})
  const sender = createHttpSender({ allowed: loopback, timeoutMs: 1_000, resolve })
  expect(await sender.send(message('https://slow.example/'))).toEqual({ error: 'timeout' })
})

test('the status stands whatever becomes of the body: endless, slow or cut', async () => {
  // Only the slow body waits this long: even on a busy machine its head must arrive before that.
  const sender = createHttpSender({ allowed: loopback, timeoutMs: 3_000 })
  receiver.respond((_received, response) => {
    const more = () => response.write(Buffer.alloc(65_536)) && setImmediate(more)
    response.writeHead(201).on('drain', more)
    more()
  })
  expect(await sender.send(message(receiver.url))).toMatchObject({ status: 201 })
  receiver.respond((_received, response) => void response.writeHead(202).write('a'))
  expect(await sender.send(message(receiver.url))).toEqual({ status: 202, response: 'a' })
  receiver.respond((_received, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('a', () => response.destroy())
  })
  expect(await sender.send(message(receiver.url))).toMatchObject({ status: 200 })
})

test('an answer that is cut, not HTTP or missing has an error code and no status', async () => {
  const sender = createHttpSender({ allowed: loopback })
  receiver.respond((_received, response) => response.destroy())
  expect(await sender.send(message(receiver.url))).toEqual({ error: 'UND_ERR_SOCKET' })
  receiver.respond((_received, response) => response.socket?.end('this is not HTTP\r\n\r\n'))
  expect(await sender.send(message(receiver.url))).toEqual({ error: 'HTTPParserError' })
  const gone = await startReceiver()
  await gone.close()
  expect(await sender.send(message(gone.url))).toEqual({ error: 'ECONNREFUSED' })
})

test('a busy receiver says when to come back, in seconds or as a date', async () => {
  const sender = createHttpSender({ allowed: loopback })
  const answer = async (value: string) => {
    receiver.respond((_received, response) => response.writeHead(503, { 'retry-after': value }).end())
    return sender.send(message(receiver.url))
  }
  expect(await answer('120')).toEqual({ status: 503, response: '', retryAfterSeconds: 120 })
  expect(await answer('soon')).toEqual({ status: 503, response: '' })
  expect(await answer('-5')).toEqual({ status: 503, response: '' })
  expect(await answer('Thu, 01 Jan 1970 00:00:00 GMT')).toEqual({ status: 503, response: '' })
  const later = await answer(new Date(Date.now() + 3_600_000).toUTCString())
  expect('retryAfterSeconds' in later && later.retryAfterSeconds).toBeGreaterThan(3_500)
})

describe('a connection', () => {
  let own: Receiver
  beforeEach(async () => {
    own = await startReceiver()
  })
  afterEach(() => own.close())

  test('serves the next message to its receiver, and never two at once', async () => {
    const sender = createHttpSender({ allowed: loopback })
    for (const path of ['/a', '/b', '/c'])
      expect(await sender.send(message(`${own.url}${path}`))).toMatchObject({ status: 200 })
    expect(own.connections()).toBe(1)
    const open: (() => void)[] = []
    own.respond((_received, response) => void open.push(() => response.end()))
    const both = [sender.send(message(own.url)), sender.send(message(own.url))]
    await eventually(async () => expect(open).toHaveLength(2))
    for (const end of open) end()
    expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 200 }])
    expect([own.connections(), own.received.length]).toEqual([2, 5])
  })

  test('to other addresses than its name has is not used', async () => {
    const sender = createHttpSender({
      allowed: loopback,
      resolve: names(['127.0.0.1'], ['127.0.0.2', '127.0.0.1'], ['127.0.0.1']).resolve,
    })
    const url = `http://shop.example:${own.port}/`
    const used: number[] = []
    for (let sent = 0; sent < 3; sent++) {
      expect(await sender.send(message(url))).toHaveProperty('status', 200)
      used.push(own.connections())
    }
    expect(used).toEqual([1, 2, 2])
  })

  test('whose answer was not read to its end, or that the receiver ends, is not used again', async () => {
    const sender = createHttpSender({ allowed: loopback })
    own.respond((_received, response) => response.end('x'.repeat(100_000)))
    await sender.send(message(own.url))
    own.respond((_received, response) => response.writeHead(200, { connection: 'close' }).end())
    await sender.send(message(own.url))
    own.respond((_received, response) => response.writeHead(200, { 'keep-alive': 'timeout=1' }).end())
    await sender.send(message(own.url))
    own.respond(200)
    expect(await sender.send(message(own.url))).toMatchObject({ status: 200 })
    expect(own.connections()).toBe(4)
  })

  test('that its receiver closes as a message leaves loses nothing: the message goes over a new one', async () => {
    const sender = createHttpSender({ allowed: loopback })
    await sender.send(message(`${own.url}/first`))
    let cut = 0
    own.respond((_received, response) => {
      cut += 1
      if (cut === 1) response.socket?.resetAndDestroy()
      else response.end()
    })
    expect(await sender.send(message(`${own.url}/second`))).toMatchObject({ status: 200 })
    expect(own.received.map(({ path }) => path)).toEqual(['/first', '/second', '/second'])
    expect(own.connections()).toBe(2)

    // A new connection that breaks is a failed attempt.
    own.respond((_received, response) => response.socket?.resetAndDestroy())
    expect(await sender.send(message(own.url))).toHaveProperty('error')
    expect(own.received).toHaveLength(5)
  })

  test('that rests too long is closed', async () => {
    const closed = new Promise<void>((resolve) =>
      own.respond((_received, response) => {
        response.socket?.on('close', () => resolve())
        response.end()
      }),
    )
    const sender = createHttpSender({ allowed: loopback })
    expect(await sender.send(message(own.url))).toMatchObject({ status: 200 })
    await closed
  })
})
