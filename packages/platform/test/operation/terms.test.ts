import { newCall, runCall } from '../../src/grpc/call-context'
import { deadlineOf, newTerms } from '../../src/operation/terms'

test('a call to a partner ends in time for our own caller to get the answer', () => {
  const at = Date.now()
  const call = { ...newCall({ timeoutMs: 5_000 }), deadline: at + 5_000 }
  runCall(call, () => {
    expect(deadlineOf(8_000, at)).toBe(at + 4_000)
    expect(deadlineOf(8_000, at, 200)).toBe(at + 4_800)
    expect(deadlineOf(3_000, at)).toBe(at + 3_000)
    expect(newTerms('id', { timeoutMs: 60_000, firstAskMs: 2_000 }).deadline).toBe(at + 4_000)
  })
  expect(deadlineOf(8_000, at)).toBe(at + 8_000)
})
