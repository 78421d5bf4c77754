import { DAY_MS, HOUR_MS, nextLook, paceOf } from '../../src/reconciliation/schedule'

const CAPTURED = { capturedAmount: 100, refundedAmount: 0, updatedAt: 1_000 }

test.each([
  [0, 1],
  [DAY_MS - 1, 1],
  [DAY_MS, 7],
  [7 * DAY_MS, 30],
  [30 * DAY_MS, 90],
  [90 * DAY_MS, 180],
  [180 * DAY_MS - HOUR_MS, 180],
])('%d ms after its change, a captured charge is next looked at on day %d', (after, day) => {
  expect(nextLook(CAPTURED, 1_000 + after)).toBe(1_000 + day * DAY_MS)
  expect(nextLook({ ...CAPTURED, refundedAmount: 99 }, 1_000 + after)).toBe(1_000 + day * DAY_MS)
})

test('a charge is not looked at after half a year, nor when no money is left', () => {
  expect(nextLook(CAPTURED, 1_000 + 180 * DAY_MS)).toBeNull()
  expect(nextLook({ ...CAPTURED, refundedAmount: 100 }, 1_000)).toBeNull()
  expect(nextLook({ ...CAPTURED, capturedAmount: 0 }, 1_000)).toBeNull()
})

test.each([
  [1, { everyMs: 300_000, least: 5, most: 5 }],
  [300, { everyMs: 1_000, least: 5, most: 5 }],
  [299, { everyMs: 300_000 / 299, least: 5, most: 5 }],
  [3_000, { everyMs: 1_000, least: 5, most: 50 }],
  [60_000, { everyMs: 1_000, least: 5, most: 1_000 }],
])('%d charges a minute are turns of %j', (perMinute, pace) => {
  expect(paceOf(perMinute)).toEqual(pace)
})
