import { appendFileSync, cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paymentsOf, put, query, sell } from './sales'
import { startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

const journal = () => join(sandbox.config.dataDir, 'acquirer-payments.jsonl')

test('payments survive a restart, in their newest state and order', async () => {
  const first = (await sell(sandbox, { orderId: 'Kept' })).body.Payment.PaymentId
  const second = (await sell(sandbox, { orderId: 'Kept', capture: true })).body.Payment.PaymentId
  await put(sandbox, `${second}/void?amount=2500`)
  await put(sandbox, `${first}/capture?amount=7000`)
  const before = await paymentsOf(sandbox, 'Kept')
  sandbox = await sandbox.restart()
  expect(await paymentsOf(sandbox, 'Kept')).toEqual(before)
  expect((await query(sandbox, `sales/${second}`)).body.Payment).toMatchObject({
    Status: 2,
    VoidedAmount: 2500,
  })
  expect((await put(sandbox, `${first}/capture`)).body[0].Code).toBe(308)
})

test('an answered payment is already on disk: a sudden death loses nothing', async () => {
  await sell(sandbox, { orderId: 'Answered' })
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  cpSync(sandbox.config.dataDir, dataDir, { recursive: true })
  const heir = await startTestSandbox({ dataDir })
  expect(await paymentsOf(heir, 'Answered')).toHaveLength(1)
  await heir.end()
})

test('a line that a sudden death cut is skipped, and the journal continues after it', async () => {
  await sell(sandbox, { orderId: 'Whole' })
  await sandbox.close()
  appendFileSync(journal(), '{"paymentId":"cut","sale":{"merch')
  sandbox = await sandbox.restart()
  await sell(sandbox, { orderId: 'After' })
  sandbox = await sandbox.restart()
  expect(await paymentsOf(sandbox, 'Whole')).toHaveLength(1)
  expect(await paymentsOf(sandbox, 'After')).toHaveLength(1)
})

test('a start reduces the journal to one line per payment', async () => {
  const { PaymentId } = (await sell(sandbox)).body.Payment
  await put(sandbox, `${PaymentId}/capture`)
  await put(sandbox, `${PaymentId}/void?amount=1`)
  expect(readFileSync(journal(), 'utf8').trim().split('\n')).toHaveLength(3)
  sandbox = await sandbox.restart()
  expect(readFileSync(journal(), 'utf8').trim().split('\n')).toHaveLength(1)
})
