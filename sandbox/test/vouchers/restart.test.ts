import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestSandbox, type TestSandbox } from '../support'
import {
  ALELO_APPROVED,
  callAlelo,
  callVr,
  payAlelo,
  payVr,
  VR_APPROVED,
  vouchersOf,
  VR_SELLER,
} from './card-vouchers'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

test('payments survive a restart, in their newest state', async () => {
  const { paymentId } = (await payAlelo(sandbox, 'kept')).body
  await payVr(sandbox, 'kept')
  await callAlelo(sandbox, 'POST', `/${paymentId}/cancel`)
  const before = await vouchersOf(sandbox, 'kept')
  sandbox = await sandbox.restart()
  expect(await vouchersOf(sandbox, 'kept')).toEqual(before)
  expect((await callAlelo(sandbox, 'GET', '?orderId=kept')).body.status).toBe('CANCELED')
  expect((await payVr(sandbox, 'kept')).status).toBe(409)
})

test('the key of a code’s first call is its key, even after a restart', async () => {
  await payVr(sandbox, 'first')
  sandbox = await sandbox.restart()
  const other = { ...VR_SELLER, 'x-vr-chave': 'another-key-0123456789' }
  expect((await callVr(sandbox, 'GET', 'first', other)).status).toBe(401)
  expect((await callVr(sandbox, 'GET', 'first')).status).toBe(200)
})

test('no card number, holder or key is on disk', async () => {
  await payAlelo(sandbox, 'masked')
  await payVr(sandbox, 'masked')
  for (const file of ['voucher-payments.jsonl', 'voucher-sellers.jsonl']) {
    const text = readFileSync(join(sandbox.config.dataDir, file), 'utf8')
    for (const secret of [ALELO_APPROVED, VR_APPROVED, 'ANA', 'key-0123456789'])
      expect(text).not.toContain(secret)
  }
})
