import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '@cofre/platform/telemetry/log'
import type { Request, Response } from 'express'
import { refuseLate } from '../src/http/refuse-late'

const log = createLog('gateway', 'silent')
const ask = (path: string) => {
  let passed = false
  refuse({ path } as Request, {} as Response, () => (passed = true))
  return passed
}
const refuse = refuseLate(100, log)

/** Blocks the event loop like a turn that has more to read than there is time. */
function turnThatTakes(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

test('a request read late in a long turn is refused, except health checks; the next turn accepts again', async () => {
  await pause(50)
  expect(ask('/api/v2/charges')).toBe(true)
  turnThatTakes(200)
  expect(() => ask('/api/v2/charges')).toThrow('Nothing was done')
  expect(ask('/healthz')).toBe(true)
  expect(ask('/readyz')).toBe(true)
  await pause(50)
  expect(ask('/api/v2/charges')).toBe(true)
})
