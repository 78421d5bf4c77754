import { Agent } from 'node:https'
import { connect } from 'node:tls'
import { paymentsOf, put, query, sell } from './sales'
import { startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

/** On a busy machine, a name with two addresses may be tried twice, as two connections of one client. */
const ONE_ADDRESS = { host: '127.0.0.1', servername: 'localhost' }

const fault = (kind: string, change = {}) =>
  sandbox.control('POST', '/faults', { partner: 'ACQUIRER', kind, ...change })
const faults = async () => (await sandbox.control('GET', '/faults')).body

test('ANSWER_LOST: the call fails, but a query finds the payment', async () => {
  await fault('ANSWER_LOST')
  await expect(sell(sandbox, { orderId: 'Lost' })).rejects.toThrow()
  expect(await paymentsOf(sandbox, 'Lost')).toHaveLength(1)
  expect((await query(sandbox, 'sales?merchantOrderId=Lost')).body.Payment).toHaveLength(1)
  expect((await sell(sandbox, { orderId: 'Next' })).status).toBe(201)
})

test('NOT_REACHED makes no TLS handshake, does nothing, and counts each connection once', async () => {
  await fault('NOT_REACHED', { times: 2 })
  const { port } = new URL(sandbox.acquirerUrl)
  const handshake = await new Promise((resolve) => {
    const socket = connect({ ...ONE_ADDRESS, port: Number(port), ca: sandbox.config.tls.cert })
    socket.once('secureConnect', () => resolve('made'))
    socket.once('error', () => resolve('not made'))
  })
  expect(handshake).toBe('not made')
  expect(await faults()).toMatchObject([{ kind: 'NOT_REACHED', times: 1 }])
  await expect(sell(sandbox, { orderId: 'Never' })).rejects.toThrow(/ECONNRESET|before secure TLS/)
  expect(await paymentsOf(sandbox, 'Never')).toEqual([])
  expect(await faults()).toEqual([])
  expect((await sell(sandbox, { orderId: 'Never' })).status).toBe(201)
})

test('NOT_REACHED ends the idle connection of a client, so that its next call must open a new one', async () => {
  const agent = new Agent({ ca: sandbox.config.tls.cert, keepAlive: true, maxSockets: 1 })
  const post = (orderId: string) =>
    sandbox.call('PUT', `${sandbox.acquirerUrl}/1/sales/${orderId}/void`, { agent })
  await post('first')
  const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])
  expect(idle).toHaveLength(1)
  const ended = new Promise((resolve) => idle[0]?.once('close', resolve))
  await fault('NOT_REACHED')
  await ended
  await expect(post('second')).rejects.toThrow(/ECONNRESET|before secure TLS/)
  expect((await post('third')).status).toBe(401)
  agent.destroy()
})

test('NOT_REACHED after another fault begins when that one is used up', async () => {
  await fault('DONE_500')
  await fault('NOT_REACHED')
  const first = await sell(sandbox, { orderId: 'One' })
  expect([first.status, first.headers['connection']]).toEqual([500, 'close'])
  await expect(sell(sandbox, { orderId: 'Two' })).rejects.toThrow(/ECONNRESET|before secure TLS/)
  expect((await sell(sandbox, { orderId: 'Three' })).status).toBe(201)
  expect(await paymentsOf(sandbox, 'Two')).toEqual([])
})

test('clearing the faults makes the acquirer reachable again', async () => {
  await fault('NOT_REACHED', { times: 10_000 })
  await expect(sell(sandbox)).rejects.toThrow()
  expect((await sandbox.control('DELETE', '/faults')).status).toBe(204)
  expect((await sell(sandbox)).status).toBe(201)
})

test('HTTP_500 does nothing; DONE_500 completes the call', async () => {
  await fault('HTTP_500')
  await fault('DONE_500')
  expect((await sell(sandbox, { orderId: 'Undone' })).status).toBe(500)
  expect((await sell(sandbox, { orderId: 'Done' })).status).toBe(500)
  expect(await paymentsOf(sandbox, 'Undone')).toEqual([])
  expect(await paymentsOf(sandbox, 'Done')).toMatchObject([{ status: 1 }])
})

test('a query shows the effect of DONE_500 on a capture and of ANSWER_LOST on a void', async () => {
  const { PaymentId } = (await sell(sandbox)).body.Payment
  await fault('DONE_500')
  expect((await put(sandbox, `${PaymentId}/capture`)).status).toBe(500)
  expect((await query(sandbox, `sales/${PaymentId}`)).body.Payment.CapturedAmount).toBe(10_000)
  await fault('ANSWER_LOST')
  await expect(put(sandbox, `${PaymentId}/void?amount=4000`)).rejects.toThrow()
  expect((await query(sandbox, `sales/${PaymentId}`)).body.Payment.VoidedAmount).toBe(4000)
})

test('SLOW completes the call at once and answers after the delay', async () => {
  await fault('SLOW', { delayMs: 150 })
  const start = performance.now()
  const answer = await sell(sandbox, { orderId: 'Slow' })
  expect(answer.status).toBe(201)
  expect(performance.now() - start).toBeGreaterThanOrEqual(145)
})

test('faults spare queries unless asked otherwise', async () => {
  await sell(sandbox, { orderId: 'Q' })
  await fault('HTTP_500')
  expect((await query(sandbox, 'sales?merchantOrderId=Q')).status).toBe(200)
  await sandbox.control('DELETE', '/faults')
  await fault('HTTP_500', { queries: true })
  expect((await query(sandbox, 'sales?merchantOrderId=Q')).status).toBe(500)
  await fault('NOT_REACHED', { queries: true })
  await expect(query(sandbox, 'sales?merchantOrderId=Q')).rejects.toThrow(/ECONNRESET|before secure TLS/)
  expect((await query(sandbox, 'sales?merchantOrderId=Q')).status).toBe(200)
})

test('queries alone fail when the fault excludes changes', async () => {
  await fault('ANSWER_LOST', { changes: false, queries: true })
  expect((await sell(sandbox, { orderId: 'Alone' })).status).toBe(201)
  await expect(query(sandbox, 'sales?merchantOrderId=Alone')).rejects.toThrow()
  expect((await query(sandbox, 'sales?merchantOrderId=Alone')).status).toBe(200)
})

test('a sandbox stops without waiting for an open connection or a slow answer', async () => {
  await fault('SLOW', { delayMs: 600_000 })
  const slow = expect(sell(sandbox, { orderId: 'S' })).rejects.toThrow()
  while ((await paymentsOf(sandbox, 'S')).length === 0);
  const start = performance.now()
  await sandbox.close()
  expect(performance.now() - start).toBeLessThan(60_000)
  await slow
  sandbox = await sandbox.restart()
})
