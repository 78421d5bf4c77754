import { eventually } from '@cofre/testing/testing'
import { order } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeEach(async () => {
  gateway = await startGateway()
})
afterEach(() => gateway.stop())

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const answered = () =>
  gateway.lines
    .map((line) => JSON.parse(line))
    .filter(({ name, msg }) => name === 'gateway' && msg === 'answered')

test('a request whose client left before its answer is logged once, as 499, with its time', async () => {
  let [arrived, answer] = [false, () => {}]
  gateway.orders.hooks.before = () => {
    arrived = true
    return new Promise<void>((resolve) => (answer = resolve))
  }
  const leaving = new AbortController()
  const sent = fetch(`${gateway.url}${AUTHORIZE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(order()),
    signal: leaving.signal,
  })
  await eventually(() => expect(arrived).toBe(true))
  leaving.abort()
  await expect(sent).rejects.toThrow()
  await eventually(() => expect(answered()).toMatchObject([{ operation: 'authorizeOrder', status: 499 }]))
  answer()
  expect(answered()[0].ms).toEqual(expect.any(Number))
  expect(answered()[0].sellerId).toBe(gateway.sellerId)
})

test('a request that was answered is logged once, with its status', async () => {
  await gateway.call('GET', '/api/v2/charges')
  await eventually(() => expect(answered()).toHaveLength(1))
  expect(answered()[0]).toMatchObject({ operation: 'listCharges', status: 200 })
  expect(answered()[0]).not.toHaveProperty('code')
})

test('the line of a 503 names its code and the call that got no answer', async () => {
  await gateway.servers.orders.close()
  await gateway.call('GET', '/api/v2/charges')
  await gateway.cutDatabase()
  await gateway.call('GET', '/api/v2/charges', { headers: { 'x-request-id': 'second' } })
  await eventually(() => expect(answered()).toHaveLength(2))
  expect(answered()[0]).toMatchObject({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    silent: 'orders.v1.Orders/ListCharges',
  })
  expect(answered()[1]).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
})
