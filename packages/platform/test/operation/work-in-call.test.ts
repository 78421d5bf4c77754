import { currentCall } from '../../src/grpc/call-context'
import { workInCall } from '../../src/operation/work-in-call'
import { createLog } from '../../src/telemetry/log'

test('work that fails is logged with its facts and its call, and fails nothing else', async () => {
  const lines: string[] = []
  const log = createLog('test', 'info', { write: (line: string) => void lines.push(line) })
  const limits = { log, timeoutMs: 1_000, what: 'charge not resolved', facts: { chargeId: 7 } }
  let requestId: string | undefined
  await workInCall(limits, async () => {
    requestId = currentCall()?.requestId
    throw new Error('broken')
  })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'charge not resolved', chargeId: 7, requestId }),
  ])
  expect(requestId).toMatch(/^req_/)
})
