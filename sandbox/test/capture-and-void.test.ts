import { paymentsOf, put, query, sell } from './sales'
import { startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

async function newPayment(change: Parameters<typeof sell>[1] = {}): Promise<string> {
  return (await sell(sandbox, change)).body.Payment.PaymentId
}

test('a payment is captured once; a partial capture gives up the rest', async () => {
  const id = await newPayment()
  const captured = await put(sandbox, `${id}/capture?amount=6000`)
  expect([captured.status, captured.body.Status, captured.body.ReturnCode]).toEqual([200, 2, '6'])
  const again = await put(sandbox, `${id}/capture?amount=1000`)
  expect([again.status, again.body[0].Code]).toEqual([400, 308])
  expect((await query(sandbox, `sales/${id}`)).body.Payment).toMatchObject({
    Status: 2,
    CapturedAmount: 6000,
  })
})

test('two concurrent captures leave one captured and one refused', async () => {
  const id = await newPayment()
  const both = await Promise.all([put(sandbox, `${id}/capture`), put(sandbox, `${id}/capture`)])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 400]))
})

test('a capture of more than the authorized amount, or of an invalid amount, is refused', async () => {
  const id = await newPayment()
  expect((await put(sandbox, `${id}/capture?amount=10001`)).body[0].Code).toBe(308)
  expect((await put(sandbox, `${id}/capture?amount=1.5`)).body[0].Code).toBe(108)
  expect((await query(sandbox, `sales/${id}`)).body.Payment.Status).toBe(1)
})

test('a declined payment is neither captured nor voided', async () => {
  const id = await newPayment({ cardNumber: '4111111111111152' })
  expect((await put(sandbox, `${id}/capture`)).body[0].Code).toBe(308)
  expect((await put(sandbox, `${id}/void`)).body[0].Code).toBe(309)
})

test('before the capture a payment is voided once and only in full', async () => {
  const id = await newPayment({ orderId: 'Voided' })
  expect((await put(sandbox, `${id}/void?amount=1000`)).body[0].Code).toBe(309)
  expect((await put(sandbox, `${id}/void`)).body).toMatchObject({ Status: 10, ReturnCode: '9' })
  expect((await put(sandbox, `${id}/void`)).body[0].Code).toBe(309)
  expect((await put(sandbox, `${id}/capture`)).body[0].Code).toBe(308)
  expect(await paymentsOf(sandbox, 'Voided')).toMatchObject([
    { status: 10, capturedAmount: 0, voidedAmount: 10_000 },
  ])
})

test('after the capture a payment is voided in parts, up to the captured amount', async () => {
  const id = await newPayment({ orderId: 'Parts' })
  await put(sandbox, `${id}/capture?amount=6000`)
  expect((await put(sandbox, `${id}/void?amount=2500`)).body).toMatchObject({ Status: 2, ReturnCode: '0' })
  const above = await put(sandbox, `${id}/void?amount=3501`)
  expect([above.status, above.body.Status, above.body.ReturnCode]).toEqual([200, 2, '51'])
  expect((await query(sandbox, `sales/${id}`)).body.Payment).toMatchObject({ Status: 2, VoidedAmount: 2500 })
  expect((await put(sandbox, `${id}/void`)).body).toMatchObject({ Status: 10, ReturnCode: '9' })
  expect((await put(sandbox, `${id}/void?amount=1`)).body[0].Code).toBe(312)
  expect(await paymentsOf(sandbox, 'Parts')).toMatchObject([
    { amount: 10_000, authorizedAmount: 10_000, capturedAmount: 6000, voidedAmount: 6000, status: 10 },
  ])
})

test('a void by order number hits only the newest payment of that order', async () => {
  const older = await newPayment({ orderId: 'Shared' })
  const newer = await newPayment({ orderId: 'Shared' })
  expect((await put(sandbox, 'OrderId/Shared/void')).body.Status).toBe(10)
  expect((await query(sandbox, `sales/${newer}`)).body.Payment.Status).toBe(10)
  expect((await query(sandbox, `sales/${older}`)).body.Payment.Status).toBe(1)
})
