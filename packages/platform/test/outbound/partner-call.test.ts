import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer, type AddressInfo, type Server as SocketServer } from 'node:net'
import { openPartner, reportedOutcome, type Partner, type PartnerCall } from '../../src/outbound/partner-call'
import { createTestTls, eventually } from '@cofre/testing/testing'

const CALL: PartnerCall = { method: 'POST', path: '/sales?a=1', body: '{"amount":1}', timeoutMs: 5_000 }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function listen(server: Server | SocketServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  if ('closeAllConnections' in server) ends.push(() => server.closeAllConnections())
  return (server.address() as AddressInfo).port
}

function partnerAt(url: string, options?: Parameters<typeof openPartner>[1]): Partner {
  const partner = openPartner(url, options)
  ends.push(partner.close)
  return partner
}

async function partnerThat(answer: RequestListener): Promise<Partner> {
  return partnerAt(`http://127.0.0.1:${await listen(createServer(answer))}`)
}

describe('answered', () => {
  test('status, headers and body, as sent', async () => {
    const seen: unknown[] = []
    const partner = await partnerThat((request, response) => {
      const { method, url, headers } = request
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        seen.push({ method, url, key: headers['merchant-key'], body })
        response
          .writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
          .end('{"ok":1}')
      })
    })
    const answer = await partner.call({ ...CALL, headers: { 'merchant-key': 'k' } })
    expect(answer).toMatchObject({
      outcome: 'answered',
      answer: { status: 201, headers: { 'content-type': 'application/json', 'set-cookie': 'a=1, b=2' } },
    })
    expect(answer.outcome === 'answered' && answer.answer.body.toString()).toBe('{"ok":1}')
    expect(seen).toEqual([{ method: 'POST', url: '/sales?a=1', key: 'k', body: CALL.body }])
  })

  test.each([
    ['100', '200 OK', 200],
    ['100, 100', '201 Created', 201],
    ['102, 103', '204 No Content', 204],
    ['100, 103', '402 Payment Required', 402],
  ])('after interim answers that nobody asked for: %s, then %s', async (interim, last, status) => {
    const heads = interim.split(', ').map((code) => `HTTP/1.1 ${code} Wait\r\n\r\n`)
    let calls = 0
    const server = createSocketServer((socket) =>
      socket.on('data', () => {
        calls += 1
        socket.write(`${heads.join('')}HTTP/1.1 ${last}\r\ncontent-length: 0\r\n\r\n`)
      }),
    )
    const partner = partnerAt(`http://127.0.0.1:${await listen(server)}`)
    for (const nth of [1, 2]) {
      expect(await partner.call(CALL)).toMatchObject({ outcome: 'answered', answer: { status } })
      expect(calls).toBe(nth)
    }
  })

  test.each([
    [200, 'answered'],
    [400, 'answered'],
    [401, 'turned_away'],
    [403, 'turned_away'],
    [429, 'answered'],
    [500, 'failed'],
  ])('%i is counted as %s', async (status, counted) => {
    const partner = await partnerThat((_request, response) => response.writeHead(status).end())
    expect(reportedOutcome(await partner.call(CALL))).toBe(counted)
  })

  test('where tokens end by themselves, 401 is a usual answer', async () => {
    const partner = await partnerThat((_request, response) => response.writeHead(401).end())
    expect(reportedOutcome(await partner.call(CALL), true)).toBe('answered')
  })

  test.each([302, 400, 404, 500, 503])('%i is an answer', async (status) => {
    const partner = await partnerThat((_request, response) => response.writeHead(status).end())
    expect(await partner.call(CALL)).toMatchObject({ outcome: 'answered', answer: { status } })
  })

  test.each(['/cielo/query', '/cielo/query/'])(
    'at a path that comes before the path of each call: %s',
    async (path) => {
      const asked: (string | undefined)[] = []
      const port = await listen(
        createServer((request, response) => {
          asked.push(request.url)
          response.end()
        }),
      )
      await partnerAt(`http://127.0.0.1:${port}${path}`).call(CALL)
      expect(asked).toEqual(['/cielo/query/sales?a=1'])
    },
  )

  test('by a partner with a certificate of the trusted authority', async () => {
    const { authority } = await createTestTls()
    const server = createSecureServer(await authority.issue('acquirer'), (_request, response) =>
      response.end(),
    )
    const url = `https://127.0.0.1:${await listen(server)}`
    expect(await partnerAt(url, { ca: authority.cert }).call(CALL)).toMatchObject({ outcome: 'answered' })
  })
})

describe('not sent', () => {
  test('when nothing listens', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await partnerAt(`http://127.0.0.1:${port}`).call(CALL)).toMatchObject({ outcome: 'not_sent' })
  })

  test('when the name is not known', async () => {
    expect(await partnerAt('http://acquirer.invalid').call(CALL)).toMatchObject({ outcome: 'not_sent' })
  })

  test('when the certificate is not of the trusted authority: the request was never written', async () => {
    let requests = 0
    const { authority } = await createTestTls()
    const server = createSecureServer(await authority.issue('acquirer'), (_request, response) => {
      requests += 1
      response.end()
    })
    const url = `https://127.0.0.1:${await listen(server)}`
    const stranger = (await createTestTls()).authority.cert
    expect(await partnerAt(url, { ca: stranger }).call(CALL)).toMatchObject({ outcome: 'not_sent' })
    expect(await partnerAt(url).call(CALL)).toMatchObject({ outcome: 'not_sent' })
    expect(requests).toBe(0)
  })
})

test('a partner that hangs holds as many calls as it has connections; one more is not sent', async () => {
  let reached = 0
  const server = createServer((_request, response) => {
    reached += 1
    if (reached > 3) response.end()
  })
  const partner = partnerAt(`http://127.0.0.1:${await listen(server)}`, { connections: 3 })
  const hanging = Array.from({ length: 3 }, () => partner.call({ ...CALL, timeoutMs: 1_000 }))
  await eventually(() => expect(reached).toBe(3))
  expect(await partner.call(CALL)).toEqual({ outcome: 'not_sent', reason: 'too many calls are running' })
  expect(reached).toBe(3)
  expect((await Promise.all(hanging)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('unknown'))
  expect(await partner.call(CALL)).toMatchObject({ outcome: 'answered' })
})

describe('unknown', () => {
  test('when the connection is cut after the request was read', async () => {
    const partner = await partnerThat((request) => request.on('end', () => request.socket.destroy()).resume())
    expect(await partner.call(CALL)).toMatchObject({ outcome: 'unknown' })
  })

  test('when the connection is cut at once: the request may have been read', async () => {
    const port = await listen(createSocketServer((socket) => socket.destroy()))
    expect(await partnerAt(`http://127.0.0.1:${port}`).call(CALL)).toMatchObject({ outcome: 'unknown' })
  })

  test('when there is no answer in time; the connection is given up and the next call is served', async () => {
    let calls = 0
    const partner = await partnerThat((_request, response) => {
      calls += 1
      if (calls > 1) response.end()
    })
    expect(await partner.call({ ...CALL, timeoutMs: 2_000 })).toEqual({
      outcome: 'unknown',
      reason: 'TimeoutError',
    })
    expect(await partner.call(CALL)).toMatchObject({ outcome: 'answered' })
  })

  test('when the answer stops half-way, or goes on beyond a mebibyte', async () => {
    const half = await partnerThat((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"status":', () => response.destroy())
    })
    expect(await half.call(CALL)).toMatchObject({ outcome: 'unknown' })
    const endless = await partnerThat((_request, response) => response.end(Buffer.alloc(2 * 1024 * 1024)))
    expect(await endless.call(CALL)).toMatchObject({ outcome: 'unknown' })
  })

  test('when the answer is a change of protocol, which nobody asked for', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: chat\r\n\r\n'
    const port = await listen(createSocketServer((socket) => socket.on('data', () => socket.write(head))))
    expect(await partnerAt(`http://127.0.0.1:${port}`).call(CALL)).toMatchObject({ outcome: 'unknown' })
  })

  test('when the answer is not HTTP', async () => {
    const port = await listen(createSocketServer((socket) => socket.resume().end('who is there?\r\n\r\n')))
    expect(await partnerAt(`http://127.0.0.1:${port}`).call(CALL)).toMatchObject({ outcome: 'unknown' })
  })
})

test('a request is sent once, even when a kept connection turns out to be closed', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end()
  })
  const partner = partnerAt(`http://127.0.0.1:${await listen(server)}`)
  expect(await partner.call(CALL)).toMatchObject({ outcome: 'answered' })
  server.closeAllConnections()
  const outcome = await partner.call(CALL)
  await eventually(() => expect(requests).toBe(outcome.outcome === 'answered' ? 2 : 1))
})

test('a reason names a fault and quotes neither the request nor the answer', async () => {
  const partner = await partnerThat((_request, response) => response.destroy(new Error('4111111111111111')))
  const outcome = await partner.call({ ...CALL, body: '4111111111111111' })
  expect(outcome).toEqual({ outcome: 'unknown', reason: 'UND_ERR_SOCKET' })
})
