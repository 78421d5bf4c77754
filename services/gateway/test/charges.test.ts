import { DomainError } from '@cofre/platform/errors'
import { ChargeAction } from '@cofre/proto/orders/v1/orders'
import { eventually } from '@cofre/testing/testing'
import { order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
let id: number
beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  const { body } = await gateway.call('POST', '/api/v2/orders/credit-card/authorize', {
    body: order({ metadata: { cart: '77', items: 2 } }),
  })
  id = body.id
})
afterAll(() => gateway.stop())

const CHARGES = '/api/v2/charges'

test('a charge can be read at its Location', async () => {
  expect(await gateway.call('GET', `${CHARGES}/${id}`)).toMatchObject({
    status: 200,
    body: { id, orderReference: 'A-1', status: 'AUTHORIZED', externalReference: null },
  })
  expect(await gateway.call('GET', `${CHARGES}/${id}/`)).toMatchObject({ status: 200 })
})

describe('a charge offers what its state allows', () => {
  const { CAPTURE, REFUND, METADATA } = ChargeAction
  const states: [what: string, actions: ChargeAction[], offered: string[]][] = [
    ['to capture, to void and to describe', [CAPTURE, REFUND, METADATA], ['capture', 'refund', 'metadata']],
    ['to refund and to describe', [REFUND, METADATA], ['refund', 'metadata']],
    ['to describe', [METADATA], ['metadata']],
  ]

  test.each(states)(
    '%s: on the answers of POST and GET, and on its entry of a list',
    async (_what, actions, offered) => {
      gateway.orders.hooks.outcome = (charge) => ({ ...charge, allowedActions: actions })
      const requestId = `links-${offered.length}`
      const made = await gateway.call('POST', '/api/v2/orders/credit-card/authorize', {
        body: order(),
        headers: { 'x-request-id': requestId },
      })
      gateway.orders.hooks.outcome = (charge) => charge
      const self = `https://pay.example.com${CHARGES}/${made.body.id}`
      const linked = (names: string[]) => names.map((name) => `<${self}/${name}>; rel="${name}"`).join(', ')
      const request = `https://pay.example.com/api/v2/history/requests?requestId=${requestId}`
      expect(made.headers.get('link')).toBe(linked(offered))
      const read = await gateway.call('GET', `${CHARGES}/${made.body.id}`)
      expect(read.headers.get('link')).toBe(`${linked(offered)}, <${request}>; rel="request"`)
      const urlOf = (name: string) => (offered.includes(name) ? `${self}/${name}` : null)
      const links = {
        self,
        capture: urlOf('capture'),
        refund: urlOf('refund'),
        metadata: `${self}/metadata`,
        request,
      }
      const list = await gateway.call('GET', `${CHARGES}?size=100`)
      const entry = list.body.content.find((each: { id: number }) => each.id === made.body.id)
      for (const each of [made.body, read.body, entry]) expect(each).toMatchObject({ requestId, links })
      const found = await eventually(async () => {
        const { body } = await gateway.call('GET', request.replace('https://pay.example.com', ''))
        expect(body.content).toHaveLength(1)
        return body.content[0]
      })
      expect(found).toMatchObject({ requestId, method: 'POST', status: 201 })
    },
  )

  test('and none to a request where no request of the seller made it', async () => {
    gateway.orders.hooks.outcome = (charge) => ({ ...charge, requestId: undefined })
    const made = await gateway.call('POST', '/api/v2/orders/credit-card/authorize', { body: order() })
    gateway.orders.hooks.outcome = (charge) => charge
    const read = await gateway.call('GET', `${CHARGES}/${made.body.id}`)
    expect(read.body).toMatchObject({ requestId: null, links: { request: null } })
    expect(read.headers.get('link')).not.toContain('rel="request"')
  })
})

test('HEAD answers as GET does, without a body', async () => {
  const { status, headers, text } = await gateway.call('HEAD', `${CHARGES}/${id}`)
  expect([status, text]).toEqual([200, ''])
  expect(Number(headers.get('content-length'))).toBeGreaterThan(100)
})

test.each(['0', '-1', 'abc', '1.5', '9007199254740993', '99999999999999999999', '%31%00', '%zz', '01'])(
  'a malformed id (%s) is 404',
  async (name) => {
    expect(await gateway.call('GET', `${CHARGES}/${name}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  },
)

test('a capture takes an amount, an empty object or no body at all', async () => {
  const part = await gateway.call('POST', `${CHARGES}/${id}/capture`, { body: { amount: 6_000 } })
  expect([part.status, part.body.capturedAmount]).toEqual([201, 6_000])
  for (const ask of [{ body: {} }, {}, { headers: { 'content-type': 'application/json' } }]) {
    const whole = await gateway.call('POST', `${CHARGES}/${id}/capture`, ask)
    expect([whole.status, whole.body.capturedAmount]).toEqual([201, 10_000])
  }
})

test('a refusal by another service keeps its code, its message and its pointers', async () => {
  const { status, body } = await gateway.call('POST', `${CHARGES}/${id}/capture`, {
    body: { amount: 10_001 },
  })
  expect(status).toBe(422)
  expect(body).toEqual({
    type: 'https://pay.example.com/docs/errors#CAPTURE_EXCEEDS_AUTHORIZED',
    title: 'Capture exceeds the authorized amount',
    status: 422,
    detail: '10001 requested, 10000 still capturable.',
    instance: `/api/v2/charges/${id}/capture`,
    code: 'CAPTURE_EXCEEDS_AUTHORIZED',
    requestId: expect.any(String),
    retryable: false,
    errors: [{ pointer: '#/amount', code: 'MAX', detail: 'must be at most 10000' }],
  })
})

test('a refusal that may soon pass says when to ask again', async () => {
  gateway.orders.hooks.before = async () => {
    throw new DomainError(
      'failed_precondition',
      'INVALID_CHARGE_STATE',
      'A capture of 300 cents is still pending.',
      {
        retryAfterSeconds: 2,
      },
    )
  }
  const { status, body, headers } = await gateway.call('POST', `${CHARGES}/${id}/capture`)
  gateway.orders.hooks.before = async () => {}
  expect([status, body.retryable, headers.get('retry-after')]).toEqual([422, true, '2'])
})

test('a refusal by state lists the allowed actions at the top of the problem', async () => {
  gateway.orders.hooks.before = async () => {
    const members = { currentStatus: 'DENIED', allowedActions: [] }
    throw new DomainError('failed_precondition', 'INVALID_CHARGE_STATE', 'The charge is DENIED.', { members })
  }
  const { status, body } = await gateway.call('POST', `${CHARGES}/${id}/refund`)
  gateway.orders.hooks.before = async () => {}
  expect([status, body.currentStatus, body.allowedActions]).toEqual([422, 'DENIED', []])
})

test('a refund whose outcome is unknown says when to ask again', async () => {
  const { status, headers, body } = await gateway.call('POST', `${CHARGES}/${id}/refund`, {
    body: { amount: 2_500, reason: 'one item returned' },
  })
  expect([status, body.transactions.at(-1).status, headers.get('retry-after')]).toEqual([201, 'PENDING', '2'])
  const read = await gateway.call('GET', `${CHARGES}/${id}`)
  expect([read.body.transactions.at(-1).status, read.headers.get('retry-after')]).toEqual(['PENDING', '2'])
})

test('metadata is a list when read, an object when written, and values keep their type', async () => {
  const path = `${CHARGES}/${id}/metadata`
  const read = await gateway.call('GET', path)
  expect(read.body).toEqual([
    { key: 'cart', value: '77' },
    { key: 'items', value: 2 },
  ])
  const written = await gateway.call('PUT', path, { body: { total: 1.5, note: 'olá 🙂' } })
  expect([written.status, written.body]).toEqual([
    200,
    [
      { key: 'total', value: 1.5 },
      { key: 'note', value: 'olá 🙂' },
    ],
  ])
  expect((await gateway.call('PUT', path, { body: {} })).body).toEqual([])
})

describe('a page', () => {
  test("has Spring's shape and links to its neighbours", async () => {
    const token = gateway.other.token
    for (let at = 0; at < 5; at++) {
      await gateway.call('POST', '/api/v2/orders/credit-card/authorize', {
        token,
        body: order({ orderReference: 'x y' }),
      })
    }
    const { headers, body } = await gateway.call('GET', `${CHARGES}?page=1&size=2&orderReference=x%20y`, {
      token,
    })
    expect(body).toMatchObject({
      pageable: { pageNumber: 1, pageSize: 2, offset: 2 },
      totalElements: 5,
      totalPages: 3,
      number: 1,
      size: 2,
      numberOfElements: 2,
      first: false,
      last: false,
      empty: false,
    })
    const link = (page: string) => `<https://pay.example.com${CHARGES}?orderReference=x+y&page=${page}>`
    const next = link(`2&size=2&after=${body.content[1].id}`)
    expect(headers.get('link')).toBe(
      `${link('0&size=2')}; rel="first", ${link('0&size=2')}; rel="prev", ${next}; rel="next", ${link('2&size=2')}; rel="last"`,
    )
  })

  test.each(['?', '?x', '?x=1'])(
    'of a reference with a question mark (%s) has only its own charges',
    async (rest) => {
      const token = gateway.other.token
      const reference = `QUESTION${rest}`
      for (const orderReference of ['QUESTION', reference]) {
        await gateway.call('POST', '/api/v2/orders/credit-card/authorize', {
          token,
          body: order({ orderReference }),
        })
      }
      const { body } = await gateway.call('GET', `${CHARGES}?orderReference=${reference}`, { token })
      expect(body.content.map((charge: { orderReference: string }) => charge.orderReference)).toEqual([
        reference,
      ])
    },
  )

  test('of a list too long to count says so, and its next link names the last entry', async () => {
    gateway.orders.hooks.end = { total: 10_000, totalIsLowerBound: true, more: true }
    const { headers, body } = await gateway.call('GET', `${CHARGES}?size=1&status=AUTHORIZED`)
    const deep = await gateway.call('GET', `${CHARGES}?size=1&page=20000&after=${body.content[0].id}`)
    gateway.orders.hooks.end = {}
    expect(body).toMatchObject({
      totalElements: 10_000,
      totalPages: 10_000,
      totalIsLowerBound: true,
      last: false,
    })
    const link = (page: string) => `<https://pay.example.com${CHARGES}?status=AUTHORIZED&page=${page}>`
    expect(headers.get('link')).toBe(
      `${link('0&size=1')}; rel="first", ${link(`1&size=1&after=${body.content[0].id}`)}; rel="next"`,
    )
    expect(gateway.orders.asked.list.at(-1)).toMatchObject({ page: 20_000, after: body.content[0].id })
    expect(deep.body).toMatchObject({ totalPages: 20_001, number: 20_000, first: false, last: false })
    expect(deep.headers.get('link')).not.toMatch(/rel="(prev|last)"/)
  })

  test('is the first of ten entries by default; a page beyond the end is empty', async () => {
    expect((await gateway.call('GET', CHARGES)).body).toMatchObject({ number: 0, size: 10, first: true })
    expect((await gateway.call('GET', `${CHARGES}?page=999`)).body).toMatchObject({ empty: true, last: true })
  })

  test('takes every filter, and a status that is repeated or separated by commas', async () => {
    const query = 'externalReference=7&status=AUTHORIZED&status=DENIED,PENDING&createdFrom=1&createdTo=2'
    await gateway.call('GET', `${CHARGES}?${query}`)
    expect(gateway.orders.asked.list.at(-1)).toMatchObject({
      externalReference: 7,
      statuses: ['CHARGE_STATUS_AUTHORIZED', 'CHARGE_STATUS_DENIED', 'CHARGE_STATUS_PENDING'],
      createdFrom: 1,
      createdTo: 2,
    })
  })

  test('of more than 100 entries is refused', async () => {
    expect(await gateway.call('GET', `${CHARGES}?size=101`)).toMatchObject({
      status: 400,
      body: { code: 'PAGE_SIZE_TOO_LARGE', errors: [{ pointer: '#/size' }] },
    })
  })

  test.each([
    'page=-1',
    'page=x',
    'size=0',
    'page=1&page=2',
    'status=LOST',
    'createdFrom=1.5',
    'externalReference=0',
  ])('with %s is refused', async (query) => {
    expect(await gateway.call('GET', `${CHARGES}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [expect.anything()] },
    })
  })
})
