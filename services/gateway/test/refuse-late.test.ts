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

/** As a turn of the event loop does that has more to read than there is time. */
function turnThatTakes(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

test('what is read late in a long turn is refused, but for the questions of machines; the next turn is a new one', async () => {
  await pause(50)
  expect(ask('/api/v2/charges')).toBe(true)
  turnThatTakes(200)
  expect(() => ask('/api/v2/charges')).toThrow('Nothing was done')
  expect(ask('/healthz')).toBe(true)
  expect(ask('/readyz')).toBe(true)
  await pause(50)
  expect(ask('/api/v2/charges')).toBe(true)
})
