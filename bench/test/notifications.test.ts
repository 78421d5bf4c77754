import { measureBacklog } from '../src/notifications/measure-backlog'
import { measureFairness } from '../src/notifications/measure-fairness'
import { measureSpeed } from '../src/notifications/measure-speed'
import { backlogReport, fairnessReport, speedReport } from '../src/notifications/run-notifications'

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

test('first attempts arrive beside receivers that hang or refuse', async () => {
  const result = await measureFairness({ waiting: 64, pings: 10, eventLog: 'postgres' }, quietly)
  const { alone, beside, others, besideSlow } = result
  for (const { max } of [alone, beside, others, besideSlow]) expect(Number.isFinite(max)).toBe(true)
  expect(fairnessReport(result)).not.toMatch(/NaN|undefined|Infinity/)
})

test('a backlog is drained in order and once, and a claim of it reads no more pages than of a small one', async () => {
  const result = await measureBacklog({ waiting: 4_000, eventLog: 'postgres' }, quietly)
  expect(result).toMatchObject({ waiting: 4_000, outOfOrder: 0, repeated: 0 })
  const [few, many] = [result.claims[0]?.pages ?? 0, result.claims.at(-1)?.pages ?? Infinity]
  // A larger index has a level or two more.
  expect(many).toBeLessThan(2 * few)
  expect(Number.isFinite(result.meanwhile.p99)).toBe(true)
  expect(backlogReport(result)).not.toMatch(/NaN|undefined|Infinity/)
})
