import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { card, customer, order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const CHARGES = '/api/v2/charges'
const AUTHORIZE = '/api/v2/orders/credit-card/authorize'

describe('the request id', () => {
  test('of the caller is echoed, also in errors', async () => {
    const id = 'order-77/attempt-1'
    const { headers } = await gateway.call('GET', CHARGES, { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toBe(id)
    const { body } = await gateway.call('GET', '/nowhere', { headers: { 'x-request-id': id } })
    expect(body.requestId).toBe(id)
  })

  test.each(['has space', 'x'.repeat(129), 'é'])('%j is replaced by a generated id', async (id) => {
    const { headers } = await gateway.call('GET', CHARGES, { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/)
  })
})

describe('a card number in a place that is logged or stored', () => {
  const NUMBER = '4111111111111111'
  const seen = ({ headers, text }: { headers: Headers; text: string }) => [...headers].join() + text

  test.each([NUMBER, '4111-1111-1111-1111', `order-${NUMBER}`])(
    'as the request id %s is replaced',
    async (id) => {
      const { headers } = await gateway.call('GET', CHARGES, {
        headers: { 'x-request-id': id },
      })
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/)
    },
  )

  test('as the Idempotency-Key is refused', async () => {
    const answer = await gateway.call('POST', AUTHORIZE, {
      body: order(),
      headers: { 'idempotency-key': `key-${NUMBER}` },
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(answer.body.detail).toBe(
      'This Idempotency-Key looks like a card number: send another key, such as a UUID. Nothing was done.',
    )
    expect(seen(answer)).not.toContain(NUMBER)
  })

  test('in the query is refused at its place', async () => {
    const answer = await gateway.call('GET', `${CHARGES}?orderReference=A-${NUMBER}&size=10`)
    expect([answer.status, answer.body.errors]).toMatchObject([
      400,
      [{ pointer: '#/orderReference', code: 'CARD_DATA_MISPLACED' }],
    ])
    expect(answer.body.detail).toBe(
      'The query parameter orderReference looks like a card number: send cards only in the card fields, or write this value differently.',
    )
    expect(seen(answer)).not.toContain(NUMBER)
  })

  test('in a body is refused with its place, and with what to do', async () => {
    const answer = await gateway.call('POST', '/api/v2/customers', {
      body: { ...customer, name: `x ${NUMBER}` },
    })
    expect(answer.body.detail).toBe(
      'name looks like a card number: send cards only in the card fields, or write this value differently.',
    )
    const named = await gateway.call('POST', '/api/v2/customers', { body: { ...customer, [NUMBER]: 'x' } })
    expect(named.body.errors).toMatchObject([
      {
        pointer: '#',
        code: 'CARD_DATA_MISPLACED',
        detail: expect.stringMatching(/^has a name in it that looks/),
      },
    ])
    expect(seen(answer) + seen(named)).not.toContain(NUMBER)
  })

  test('is in no log line', () => {
    expect(gateway.lines.join('\n')).not.toContain(NUMBER)
  })
})

describe('an id that merely has digits', () => {
  const IDS = [
    '412001-1795790620029',
    'cart-401888-1795798471444',
    'order-552e451a-26b3-4401-9152-92813b8695ef-1',
    'ORD552e451a-26b3-4401-9152-92813b8695ef',
    'E60746948202601151230A1b2C3d4E5f',
  ]

  test.each(IDS)('%s is a key, a reference, a search and a request id', async (id) => {
    const headers = { 'idempotency-key': id, 'x-request-id': id }
    const made = await gateway.call('POST', AUTHORIZE, { body: order({ orderReference: id }), headers })
    expect([made.status, made.headers.get('x-request-id')]).toEqual([201, id])
    expect((await gateway.call('GET', `${CHARGES}?orderReference=${id}`)).status).toBe(200)
  })

  test.each(['38.657.074/0001-78', '38657074000178'])(
    '%s is the document of a customer',
    async (document) => {
      expect(
        (await gateway.call('POST', '/api/v2/customers', { body: { name: 'X Ltda', document } })).status,
      ).toBe(201)
      for (const list of ['customers', 'invoices'])
        expect((await gateway.call('GET', `/api/v2/${list}?document=${document}`)).status).toBe(200)
      const buyer = { name: 'X Ltda', document }
      expect((await gateway.call('POST', AUTHORIZE, { body: order({ customer: buyer }) })).status).toBe(201)
    },
  )

  test.each([4_111_111_111_111_111, 5_067_123_456_789_012])('%d is an external reference', async (number) => {
    const body = order({ externalReference: number })
    expect((await gateway.call('POST', AUTHORIZE, { body })).status).toBe(201)
    expect((await gateway.call('GET', `${CHARGES}?externalReference=${number}`)).status).toBe(200)
  })
})

test('a valid trace is continued; a broken one is replaced by a new trace', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await gateway.call('GET', '/nowhere', { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })
  expect(JSON.parse(gateway.lines.at(-1) ?? '')).toMatchObject({ traceId })
  await gateway.call('GET', '/nowhere', {
    headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
  })
  expect(JSON.parse(gateway.lines.at(-1) ?? '').traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
})

test('another method on a known path is 405 with Allow; OPTIONS answers with Allow', async () => {
  const refused = await gateway.call('PATCH', `${CHARGES}/1/metadata`)
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, OPTIONS'])
  const options = await gateway.call('OPTIONS', '/api/v2/cards/tokens')
  expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, 'POST, OPTIONS', ''])
})

test('answers are data: they cannot be framed, sniffed, rendered or kept', async () => {
  const { headers } = await gateway.call('GET', CHARGES)
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('strict-transport-security')).toMatch(/max-age/)
  expect(headers.get('x-powered-by')).toBeNull()
})

test.each(['application/json;charset=UTF-8', 'Application/JSON', 'application/json; charset="utf-8"'])(
  'a body of type %s is accepted',
  async (type) => {
    const raw = JSON.stringify(order())
    expect(await gateway.call('POST', AUTHORIZE, { raw, headers: { 'content-type': type } })).toMatchObject({
      status: 201,
    })
  },
)

test('a body just within the limit is accepted', async () => {
  const raw = JSON.stringify(card).padEnd(256 * 1024)
  expect(raw.length).toBe(256 * 1024)
  const ask = { raw, headers: { 'content-type': 'application/json' } }
  expect(await gateway.call('POST', '/api/v2/cards/tokens', ask)).toMatchObject({ status: 201 })
})

test('a body that is too large is 413, also when it comes in chunks without an announced length', async () => {
  const answer = await new Promise<{ status?: number; text: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' }
    const sent = request(`${gateway.url}${AUTHORIZE}`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.on('error', reject)
    for (let at = 0; at < 40; at++) sent.write('x'.repeat(10_000))
    sent.end()
  })
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([413, 'BODY_TOO_LARGE'])
})

test('a client that leaves in the middle of its body harms nobody', async () => {
  const socket = connect(gateway.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    `POST ${AUTHORIZE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"amount":',
  )
  await new Promise((resolve) => setImmediate(resolve))
  socket.destroy()
  expect(await gateway.call('GET', CHARGES)).toMatchObject({ status: 200 })
  expect(gateway.lines.some((line) => JSON.parse(line).level >= 50)).toBe(false)
})

test('a body that does not come is given up: the request is answered and the connection closed', async () => {
  const socket = connect(gateway.port, '127.0.0.1')
  socket.write(
    `POST ${AUTHORIZE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"amount":',
  )
  const text = await untilClosed(socket)
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toMatch(/^connection: close\r$/im)
  expect(text).toContain('The body did not arrive within 4 s.')
})

test('an expectation that nobody knows is 417 with a problem, and nothing is done', async () => {
  const socket = connect(gateway.port, '127.0.0.1')
  const asked = gateway.orders.asked.authorize.length
  const body = JSON.stringify(order())
  socket.write(
    `POST ${AUTHORIZE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.token}\r\nExpect: 200-ok\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const text = await untilClosed(socket)
  expect(text).toMatch(/^HTTP\/1\.1 417 [^]*X-Request-Id: req_[^]*"code":"EXPECTATION_FAILED"/i)
  expect(gateway.orders.asked.authorize).toHaveLength(asked)
})

test('two Idempotency-Key headers are refused: the words say that there are two', async () => {
  const answer = await new Promise<{ status?: number; text: string }>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${gateway.token}`,
      'content-type': 'application/json',
      'idempotency-key': ['k-1', 'k-2'],
    }
    const sent = request(`${gateway.url}${AUTHORIZE}`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.on('error', reject).end(JSON.stringify(order()))
  })
  expect([answer.status, JSON.parse(answer.text).detail]).toEqual([
    400,
    'The header Idempotency-Key is given twice: send one.',
  ])
})

test('bytes that are not HTTP are answered with 400, and the connection is closed', async () => {
  const socket = connect(gateway.port, '127.0.0.1')
  socket.end('THIS IS NOT HTTP\r\n\r\n')
  expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 400 /)
})

function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let all = ''
    socket.on('data', (chunk) => (all += String(chunk)))
    socket.on('close', () => resolve(all))
  })
}

test('an error on our side is 500 with the request id and nothing else; the log has the rest', async () => {
  gateway.orders.hooks.before = async () => {
    throw new Error('column "pan" does not exist')
  }
  const { status, body } = await gateway.call('POST', AUTHORIZE, { body: order() })
  gateway.orders.hooks.before = async () => {}
  expect([status, Object.keys(body).sort()]).toEqual([
    500,
    ['code', 'instance', 'requestId', 'retryable', 'status', 'title', 'type'],
  ])
  expect(gateway.lines.join('')).toContain('request failed')
})
