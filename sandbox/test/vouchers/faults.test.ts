import { startTestSandbox, type TestSandbox } from '../support'
import { callAlelo, callVr, payAlelo, payVr, vouchersOf } from './card-vouchers'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

const fault = (kind: string, change = {}) =>
  sandbox.control('POST', '/faults', { partner: 'VOUCHER_ISSUER', kind, ...change })

test('ANSWER_LOST: the payment is made, and a query finds it', async () => {
  await fault('ANSWER_LOST', { times: 2 })
  await expect(payAlelo(sandbox, 'lost')).rejects.toThrow()
  await expect(payVr(sandbox, 'lost')).rejects.toThrow()
  expect((await callAlelo(sandbox, 'GET', '?orderId=lost')).body.status).toBe('APPROVED')
  expect((await callVr(sandbox, 'GET', 'lost')).body.situacao).toBe('AUTORIZADA')
})

test('HTTP_500 does nothing; DONE_500 completes the call', async () => {
  await fault('HTTP_500')
  await fault('DONE_500')
  expect((await payAlelo(sandbox, 'undone')).status).toBe(500)
  expect((await payVr(sandbox, 'done')).status).toBe(500)
  expect(await vouchersOf(sandbox, 'undone')).toEqual([])
  expect(await vouchersOf(sandbox, 'done')).toMatchObject([{ status: 'APPROVED' }])
})

test('a query shows the effect of DONE_500 on a cancellation', async () => {
  await payVr(sandbox, 'gone')
  await fault('DONE_500')
  expect((await callVr(sandbox, 'POST', 'gone/estorno')).status).toBe(500)
  expect((await callVr(sandbox, 'GET', 'gone')).body.situacao).toBe('ESTORNADA')
})

test('SLOW completes the call at once and answers after the delay', async () => {
  await fault('SLOW', { delayMs: 600_000 })
  const slow = expect(payAlelo(sandbox, 'slow')).rejects.toThrow()
  while ((await vouchersOf(sandbox, 'slow')).length === 0);
  await sandbox.close()
  await slow
  sandbox = await sandbox.restart()
})

test('NOT_REACHED cuts the call, which does nothing, and spares queries', async () => {
  await fault('NOT_REACHED')
  expect((await callVr(sandbox, 'GET', 'never')).status).toBe(404)
  await expect(payVr(sandbox, 'never')).rejects.toThrow()
  expect(await vouchersOf(sandbox, 'never')).toEqual([])
  expect((await payVr(sandbox, 'never')).status).toBe(201)
})

test('NOT_REACHED with queries refuses every connection until the fault is cleared', async () => {
  await fault('NOT_REACHED', { times: 10_000, queries: true })
  const refused = /ECONNRESET|before secure TLS/
  await expect(payAlelo(sandbox, 'down')).rejects.toThrow(refused)
  await expect(callVr(sandbox, 'GET', 'down')).rejects.toThrow(refused)
  await sandbox.control('DELETE', '/faults')
  expect((await payAlelo(sandbox, 'down')).status).toBe(200)
})

test("faults spare queries unless asked otherwise, and the acquirer's faults do not affect the issuers", async () => {
  await sandbox.control('POST', '/faults', { partner: 'ACQUIRER', kind: 'HTTP_500', times: 9, queries: true })
  await payAlelo(sandbox, 'asked')
  await fault('HTTP_500', { queries: true })
  expect((await callAlelo(sandbox, 'GET', '?orderId=asked')).status).toBe(500)
  expect((await callAlelo(sandbox, 'GET', '?orderId=asked')).status).toBe(200)
})
