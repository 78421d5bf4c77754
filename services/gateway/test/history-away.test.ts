import { order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

let gateway: Gateway
beforeAll(async () => {
  // Nothing listens there.
  gateway = await startGateway({ MONGODB_URL: 'mongodb://127.0.0.1:1/history' })
})
afterAll(() => gateway.stop())

test('without the store of the history, the gateway does everything else and answers 503 for it', async () => {
  // Each would wait two seconds for a store not yet known to be away: fifty would outlast the test.
  for (let count = 0; count < 50; count++) {
    const { status } = await gateway.call('POST', '/api/v2/orders/credit-card/authorize', { body: order() })
    expect(status).toBe(201)
  }
  expect(gateway.deps.recorder.counts()).toEqual({ waiting: 50, lost: 0 })
  const { status, headers, body } = await gateway.call('GET', '/api/v2/history/requests')
  expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(headers.get('retry-after')).toBe('1')
  expect(gateway.lines.filter((line) => line.includes('history not written yet')).length).toBeLessThanOrEqual(
    1,
  )
})
