import { eventually } from '@cofre/testing/testing'
import { createInFlight } from '../src/http/in-flight'
import { customer, order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const CHARGES = '/api/v2/charges'

test('places are taken and given back; requests that wait for partners have half of them', () => {
  const inFlight = createInFlight({ places: 4, ofToken: 4, ofAddress: 4 })
  const atPartner = [inFlight.enter({ callsPartner: 'bank' }), inFlight.enter({ callsPartner: 'acquirer' })]
  expect(() => inFlight.enter({ callsPartner: 'issuers' })).toThrow('Nothing was done')
  const others = [inFlight.enter({}), inFlight.enter({})]
  expect(() => inFlight.enter({})).toThrow('Nothing was done')
  expect(inFlight.enter({ uncounted: true })).toEqual(expect.any(Function))
  atPartner.pop()?.()
  others.pop()?.()
  inFlight.enter({ callsPartner: 'acquirer' })
  inFlight.enter({})
  expect(() => inFlight.enter({})).toThrow('Nothing was done')
})

test('a partner that hangs holds half of the places of all partners, and leaves the rest to the others', () => {
  const inFlight = createInFlight({ places: 8, ofToken: 8, ofAddress: 8 })
  const waiting = [inFlight.enter({ callsPartner: 'issuers' }), inFlight.enter({ callsPartner: 'issuers' })]
  expect(() => inFlight.enter({ callsPartner: 'issuers' })).toThrow('Nothing was done')
  inFlight.enter({ callsPartner: 'acquirer' })
  waiting.pop()?.()
  inFlight.enter({ callsPartner: 'issuers' })
})

test('each caller has its own number of requests at once, independent of others', () => {
  const inFlight = createInFlight({ places: 100, ofToken: 2, ofAddress: 1 })
  const [token, address] = [
    { kind: 'token', key: 'a' },
    { kind: 'address', key: 'a' },
  ] as const
  const leave = [inFlight.admit(token), inFlight.admit(token)]
  expect(() => inFlight.admit(token)).toThrow('Too many requests from this token')
  inFlight.admit({ kind: 'token', key: 'b' })
  inFlight.admit(address)
  expect(() => inFlight.admit(address)).toThrow('Too many requests from this address')
  leave[0]?.()
  inFlight.admit(token)
  expect(() => inFlight.admit(token)).toThrow('Nothing was done')
})

describe('when the acquirer hangs', () => {
  let gateway: Gateway
  let answer = () => {}
  beforeAll(async () => {
    gateway = await startGateway({ HTTP_MAX_IN_FLIGHT: '10' })
    const hanging = new Promise<void>((resolve) => (answer = resolve))
    gateway.orders.hooks.before = () => hanging
  })
  afterAll(() => gateway.stop())

  test('it holds no more than its places, a further request is refused, and the rest of the API works', async () => {
    const waiting = Array.from({ length: 3 }, () => gateway.call('POST', AUTHORIZE, { body: order() }))
    await eventually(() => expect(gateway.orders.asked.authorize).toHaveLength(3))

    const refused = await gateway.call('POST', AUTHORIZE, { body: order() })
    expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(gateway.orders.asked.authorize).toHaveLength(3)
    // One place is reserved for other sellers.
    const tokens = [gateway.token, gateway.token, gateway.other.token]
    const read = await Promise.all(tokens.map((token) => gateway.call('GET', CHARGES, { token })))
    expect(read.map(({ status }) => status)).toEqual([200, 200, 200])

    answer()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await gateway.call('POST', AUTHORIZE, { body: order() })).status).toBe(201)
  })
})

test('refunds of a Pix take places of Pix: a bank that hangs leaves the refunds of cards alone', async () => {
  const gateway = await startGateway({ HTTP_MAX_IN_FLIGHT: '10' })
  let answer = () => {}
  const hanging = new Promise<void>((resolve) => (answer = resolve))
  try {
    const ask = async (path: string, body: object) => (await gateway.call('POST', path, { body })).body.id
    const pixId = await ask('/api/v2/orders/pix', { amount: 4_990, customer })
    const cardId = await ask(AUTHORIZE, order())
    gateway.orders.hooks.before = () => hanging
    const refund = (id: number) => gateway.call('POST', `${CHARGES}/${id}/refund`, { body: { amount: 1 } })
    const ofPix = Array.from({ length: 4 }, () => refund(pixId))
    // Three have a place each; whoever comes last is refused.
    expect((await Promise.race(ofPix)).status).toBe(503)
    const ofCard = refund(cardId)
    answer()
    expect((await ofCard).status).toBe(201)
    const statuses = (await Promise.all(ofPix)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
  } finally {
    answer()
    await gateway.stop()
  }
})
