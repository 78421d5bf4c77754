import { judge } from '../src/deliveries/delivery'

const SCHEDULE = [5, 300, 1_800]
const MIDDLE = 0.5

test.each([200, 201, 202, 204, 299])('the answer %i delivers the message', (status) => {
  expect(judge({ status }, 1, SCHEDULE, MIDDLE)).toEqual({ status: 'DELIVERED' })
})

test.each([101, 301, 302, 307, 400, 401, 404, 429, 500, 503])('a retry follows the answer %i', (status) => {
  expect(judge({ status }, 1, SCHEDULE, MIDDLE)).toEqual({ status: 'PENDING', retryInMs: 5_000 })
})

test.each(['refused_address', 'timeout', 'ECONNREFUSED'])('a retry follows %s', (error) => {
  expect(judge({ error }, 2, SCHEDULE, MIDDLE)).toEqual({ status: 'PENDING', retryInMs: 300_000 })
})

test('410 fails the delivery at once, and those that wait behind it', () => {
  expect(judge({ status: 410 }, 1, SCHEDULE, MIDDLE)).toEqual({ status: 'FAILED', abandons: true })
})

test('a delivery fails after one attempt more than there are waits, and the next one may go', () => {
  expect(judge({ status: 500 }, 3, SCHEDULE, MIDDLE)).toMatchObject({ status: 'PENDING' })
  expect(judge({ status: 500 }, 4, SCHEDULE, MIDDLE)).toEqual({ status: 'FAILED', abandons: false })
  expect(judge({ status: 200 }, 4, SCHEDULE, MIDDLE)).toEqual({ status: 'DELIVERED' })
})

test('waits are spread by a fifth to each side', () => {
  expect(judge({ status: 500 }, 2, SCHEDULE, 0)).toEqual({ status: 'PENDING', retryInMs: 240_000 })
  expect(judge({ status: 500 }, 2, SCHEDULE, 0.999_999_999)).toEqual({
    status: 'PENDING',
    retryInMs: 360_000,
  })
})

test('a busy receiver may ask for a longer wait, up to the next step of the schedule, never for a shorter one', () => {
  const busy = (status: number, retryAfterSeconds: number) =>
    judge({ status, retryAfterSeconds }, 1, SCHEDULE, MIDDLE)
  expect(busy(429, 60)).toEqual({ status: 'PENDING', retryInMs: 60_000 })
  expect(busy(503, 60)).toEqual({ status: 'PENDING', retryInMs: 60_000 })
  expect(busy(503, 86_400)).toEqual({ status: 'PENDING', retryInMs: 300_000 })
  expect(busy(503, 1)).toEqual({ status: 'PENDING', retryInMs: 5_000 })
  expect(busy(500, 60)).toEqual({ status: 'PENDING', retryInMs: 5_000 })
})
