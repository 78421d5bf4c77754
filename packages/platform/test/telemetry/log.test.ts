import { Writable } from 'node:stream'
import { newCall, runCall } from '../../src/grpc/call-context'
import { createLog } from '../../src/telemetry/log'

function memoryLog() {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  return { log: createLog('test', 'info', stream), lines }
}

test('a line of a call carries its request id and trace id', () => {
  const { log, lines } = memoryLog()
  const call = newCall({ timeoutMs: 1_000 })
  runCall(call, () => log.info({ chargeId: 7 }, 'captured'))

  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    chargeId: 7,
    requestId: call.requestId,
    traceId: call.traceparent.split('-')[1],
  })
})

test('of many lines with an error and the same words some are written; others, and lines without an error, are whole', () => {
  const { log, lines } = memoryLog()
  for (let nth = 0; nth < 100; nth++) {
    log.error({ err: new Error(`away ${nth}`) }, 'rpc failed')
    log.warn({ nth }, 'invariant violated')
  }
  log.error({ err: new Error('another') }, 'relay failed')
  const words = lines.map((line) => JSON.parse(line).msg as string)
  const times = (of: string) => words.filter((each) => each === of).length
  expect(times('rpc failed')).toBeGreaterThanOrEqual(20)
  expect(times('rpc failed')).toBeLessThan(30)
  expect([times('invariant violated'), times('relay failed')]).toEqual([100, 1])
})

test('a field named like a secret is masked, at the top and one level down', () => {
  const { log, lines } = memoryLog()
  log.info({ cvv: '987', card: { cardNumber: '4111111111111111' } }, 'no')

  expect(lines.join()).not.toMatch(/"987"|4111111111111111/)
})

test('an error is logged without the row that a database error quotes', () => {
  const { log, lines } = memoryLog()
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (number)=(4111111111111111)',
  })
  log.error({ err: error }, 'failed')

  expect(lines.join()).not.toContain('4111111111111111')
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ message: 'duplicate key', code: '23505' })
})

test('an error that quotes a card number is logged without it', () => {
  const { log, lines } = memoryLog()
  log.error({ err: new Error('invalid input syntax for type bigint: "4111111111111111"') }, 'failed')

  const { message, stack } = JSON.parse(lines[0] ?? '').err
  expect(message).toBe('invalid input syntax for type bigint: "411111******1111"')
  expect(stack).not.toContain('4111111111111111')
})
