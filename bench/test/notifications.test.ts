import { measureSpeed } from '../src/notifications/measure-speed'
import { speedReport } from '../src/notifications/run-notifications'

// Short forms of `npm run bench -- --notifications`. Times mean little on a busy machine; deliveries must always come
// in order and once. Only the command measures on Kafka too, with `--kafka`.
const quietly = () => {}

test('single events and many, to one endpoint and to a hundred, arrive in order and once', async () => {
  const result = await measureSpeed({ events: 200, singles: 5, eventLog: 'postgres' }, quietly)
  expect(Number.isFinite(result.latency.p99)).toBe(true)
  for (const { deliveries, repeated, outOfOrder, barePerSecond } of [result.one, result.fanOut]) {
    expect({ deliveries, repeated, outOfOrder }).toEqual({ deliveries: 200, repeated: 0, outOfOrder: 0 })
    expect(barePerSecond).toBeGreaterThan(0)
  }
  expect(speedReport(result)).not.toMatch(/NaN|undefined|Infinity/)
})
