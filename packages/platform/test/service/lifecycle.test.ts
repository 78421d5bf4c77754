import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repeat, type Loop } from '../../src/service/lifecycle'
import { eventually } from '@cofre/testing/testing'

const A_LONG_TIME_MS = 60_000
let loop: Loop | undefined
afterEach(() => loop?.stop())

test('work that did something is repeated at once, and rests when it did nothing', async () => {
  const results = [3, 2, 0, 0]
  let runs = 0
  loop = repeat(async () => results[runs++] ?? 0, A_LONG_TIME_MS, fail)
  await eventually(() => expect(runs).toBe(3))
  await new Promise(setImmediate)
  expect(runs).toBe(3)
})

test('a resting loop is woken', async () => {
  let runs = 0
  loop = repeat(async () => (runs++, 0), A_LONG_TIME_MS, fail)
  await eventually(() => expect(runs).toBe(1))
  loop.wake()
  await eventually(() => expect(runs).toBe(2))
})

test('a wake that comes while the work runs is not lost', async () => {
  let runs = 0
  let finish = () => {}
  loop = repeat(() => new Promise((resolve) => (runs++, (finish = () => resolve(0)))), A_LONG_TIME_MS, fail)
  loop.wake()
  finish()
  await eventually(() => expect(runs).toBe(2))
  finish()
})

test('an error is reported, and the work is tried again after a rest', async () => {
  const errors: unknown[] = []
  let runs = 0
  loop = repeat(
    async () => {
      if (runs++ === 0) throw new Error('the database restarts')
      return 0
    },
    1,
    (error) => errors.push(error),
  )
  await eventually(() => expect(runs).toBeGreaterThan(1))
  expect(errors).toEqual([new Error('the database restarts')])
})

test('work that keeps failing is tried less and less often', async () => {
  const triedAt: number[] = []
  loop = repeat(
    async () => {
      triedAt.push(performance.now())
      throw new Error('the database is away')
    },
    1,
    () => {},
  )
  await eventually(() => expect(triedAt.length).toBeGreaterThan(8))
  // 2 + 4 + … + 128 ms and not 7 times 1.
  expect((triedAt[7] ?? 0) - (triedAt[0] ?? 0)).toBeGreaterThan(200)
})

test('stopping waits for the work in hand, ends a rest, and nothing runs after it', async () => {
  let runs = 0
  let finish = () => {}
  let done = false
  const busy = repeat(
    () => new Promise((resolve) => (runs++, (finish = () => ((done = true), resolve(1))))),
    A_LONG_TIME_MS,
    fail,
  )
  const stopped = busy.stop()
  expect(done).toBe(false)
  finish()
  await stopped
  expect(done).toBe(true)
  expect(runs).toBe(1)

  const resting = repeat(async () => 0, A_LONG_TIME_MS, fail)
  await resting.stop()
})

test('a service that is asked to stop during its start stops once it has started', () => {
  const lifecycle = join(__dirname, '../../dist/service/lifecycle.js')
  const service = `
    const { runProgram, untilStopped } = require(${JSON.stringify(lifecycle)})
    runProgram(() => undefined, async () => {
      process.kill(process.pid, 'SIGTERM')
      await new Promise((resolve) => setTimeout(resolve, 100))
      await untilStopped()
    })`
  const { status, stderr } = spawnSync(process.execPath, ['-e', service], { timeout: 20_000 })
  expect([status, stderr.toString()]).toEqual([0, ''])
})

function fail(error: unknown): void {
  throw error
}
