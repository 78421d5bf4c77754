import { eventually } from '@cofre/testing/testing'
import { createInFlight } from '../src/http/in-flight'
import { order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const CHARGES = '/api/v2/charges'

test('places are taken and given back; requests that wait for a partner have half of them', () => {
  const inFlight = createInFlight({ places: 4, ofToken: 4, ofAddress: 4 })
  const atPartner = [inFlight.enter({ callsPartner: true }), inFlight.enter({ callsPartner: true })]
  expect(() => inFlight.enter({ callsPartner: true })).toThrow('Nothing was done')
  const others = [inFlight.enter({}), inFlight.enter({})]
  expect(() => inFlight.enter({})).toThrow('Nothing was done')
  expect(inFlight.enter({ uncounted: true })).toEqual(expect.any(Function))
  atPartner.pop()?.()
  others.pop()?.()
  inFlight.enter({ callsPartner: true })
  inFlight.enter({})
  expect(() => inFlight.enter({})).toThrow('Nothing was done')
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
    gateway = await startGateway({ HTTP_MAX_IN_FLIGHT: '6' })
    const hanging = new Promise<void>((resolve) => (answer = resolve))
    gateway.orders.hooks.before = () => hanging
  })
  afterAll(() => gateway.stop())

  test('half of the places wait for it, a further request is refused, and the rest of the API works', async () => {
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
