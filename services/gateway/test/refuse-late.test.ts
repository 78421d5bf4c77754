import { createLog } from '@cofre/platform/telemetry/log'
import type { Request, Response } from 'express'
import { refuseLate } from '../src/http/refuse-late'

// The clock is ours: a turn of a busy machine would take as long as it likes.
beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

test('a request read late in a long turn is refused, except health checks; the next turn accepts again', () => {
  const refuse = refuseLate(100, createLog('gateway', 'silent'))
  const ask = (path: string) => {
    let passed = false
    refuse({ path } as Request, {} as Response, () => (passed = true))
    return passed
  }
  jest.advanceTimersByTime(50)
  expect(ask('/api/v2/charges')).toBe(true)
  // A turn that takes 200 ms: the clock goes on, and no timer runs.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 200)
  expect(() => ask('/api/v2/charges')).toThrow('Nothing was done')
  expect(ask('/healthz')).toBe(true)
  expect(ask('/readyz')).toBe(true)
  clock.mockRestore()
  jest.advanceTimersByTime(50)
  expect(ask('/api/v2/charges')).toBe(true)
})
