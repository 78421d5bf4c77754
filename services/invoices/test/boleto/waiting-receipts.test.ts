import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { UnexpectedReason } from '@cofre/proto/invoices/v1/boletos'
import { InvoicesAdminClient } from '@cofre/proto/invoices/v1/invoices'
import {
  issue,
  newInvoice,
  noticeOf,
  receive,
  startBoletos,
  tell,
  unexpected,
  type TestBoletos,
} from '../support/start-boletos'

let boletos: TestBoletos
let admin: InvoicesAdminClient
beforeAll(async () => {
  boletos = await startBoletos()
  admin = await boletos.network.clientOf(InvoicesAdminClient, boletos.address, 'cofrectl')
})
beforeEach(() => boletos.bank.slips.clear())
afterAll(() => boletos.stop())

const list = (sellerId?: number) => callRpc(admin, admin.listWaitingReceipts, { sellerId })
const close = (receiptId: number, reason = 'Returned, ticket 4711.', closedBy = 'ana') =>
  callRpc(admin, admin.closeReceipt, { receiptId, reason, closedBy })

let accounts = 0
/** Money for an unknown number in an account that no seller has been seen with. */
async function comesIn(amount: number): Promise<string> {
  const id = `LIQ-${randomUUID()}`
  const pagamento = { id, valorPago: amount / 100, dataHora: new Date().toISOString() }
  accounts += 1
  const numeroConvenio = String(9_000_000 + accounts)
  await tell(boletos, { ...noticeOf('99999999999999999', pagamento), numeroConvenio })
  return id
}
const found = async (id: string) => (await list()).receipts.find((each) => each.bankReceiptId === id)

test('money without a seller is listed, the oldest first, until a person records its handling', async () => {
  const [first, second] = [await comesIn(700), await comesIn(800)]
  const told = jest.spyOn(boletos.deps.log, 'warn')
  const { receipts, more } = await list()
  const ours = receipts.filter(({ bankReceiptId }) => [first, second].includes(bankReceiptId))
  expect([more, ours.map(({ bankReceiptId }) => bankReceiptId)]).toEqual([false, [first, second]])
  const { UNKNOWN_BOLETO: reason } = UnexpectedReason
  expect(ours[0]).toMatchObject({
    sellerId: 0,
    reason,
    unexpectedAmount: 700,
    account: expect.stringMatching(/^9/),
  })
  const id = ours[0]?.id ?? 0
  expect(await close(id, ' Returned to 4111111111111111, ticket 4711. ', ' ana ')).toMatchObject({
    id,
    resolution: 'Returned to 411111******1111, ticket 4711.',
    resolvedBy: 'ana',
    resolvedAt: expect.any(Number),
  })
  const line = { receiptId: id, by: 'ana', reason: 'Returned to 411111******1111, ticket 4711.' }
  expect(told).toHaveBeenCalledWith(line, 'receipt without a seller closed by hand')
  expect([await found(first), (await found(second))?.unexpectedAmount]).toEqual([undefined, 800])
})

test('a receipt that is closed again, even at once, keeps its first note', async () => {
  const id = (await found(await comesIn(900)))?.id ?? 0
  const answers = await Promise.all(['a', 'b', 'c'].map((by) => close(id, `by ${by}`, by)))
  const { resolvedBy, resolvedAt } = await close(id, 'once more', 'd')
  expect(['a', 'b', 'c']).toContain(resolvedBy)
  for (const each of answers) {
    expect(each).toMatchObject({ resolvedBy, resolvedAt, resolution: `by ${resolvedBy}` })
  }
})

test('money of a seller is listed for that seller, who alone resolves it', async () => {
  const invoice = await newInvoice(boletos)
  await issue(boletos, invoice)
  const slip = boletos.bank.only
  const payment = receive(slip, 500)
  await tell(boletos, noticeOf(slip.nossoNumero, payment))
  expect(await found(payment.id)).toBeUndefined()
  const { receipts } = await list(invoice.sellerId)
  expect(receipts).toMatchObject([
    { sellerId: invoice.sellerId, invoiceId: invoice.id, unexpectedAmount: 500 },
  ])
  await expect(close(receipts[0]?.id ?? 0)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect(await unexpected(boletos, invoice)).toMatchObject([{ resolvedAt: undefined }])
})

test('an unknown receipt, a missing reason or name, and a caller that is no administrator are refused', async () => {
  await expect(close(999_999)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  const id = (await found(await comesIn(600)))?.id ?? 0
  const faults = [{ pointer: '#/reason' }, { pointer: '#/closedBy' }]
  await expect(close(id, ' ', '')).rejects.toMatchObject({ extra: { errors: faults } })
  await expect(close(id, 'x'.repeat(2_001))).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  const gateway = await boletos.network.clientOf(InvoicesAdminClient, boletos.address, 'gateway')
  await expect(callRpc(gateway, gateway.listWaitingReceipts, {})).rejects.toThrow('PERMISSION_DENIED')
  expect((await list()).receipts.map((each) => each.id)).toContain(id)
})

test('a list of more than a hundred receipts reports that there are more', async () => {
  await boletos.pool.query(
    `INSERT INTO receipts (method, account, bank_id, ask_number, amount, unexpected, open_amount, returning_amount, events, reason, paid_at, created_at)
     SELECT 'BOLETO', '9999999', 'many-' || n, '99999999999999999', 100, 100, 100, 0, 0, 'UNKNOWN_BOLETO', now(), now()
     FROM generate_series(1, 101) n`,
  )
  const { receipts, more } = await list()
  expect([receipts.length, more]).toEqual([100, true])
})
