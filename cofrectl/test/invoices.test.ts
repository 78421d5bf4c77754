import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createLog } from '@cofre/platform/telemetry/log'
import { UnexpectedReason, UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import { RefusedRefund } from '@cofre/proto/invoices/v1/invoices'
import { createInvoices } from '@cofre/testing/stand-ins/invoices/invoices'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { cofrectl } from '../src/cofrectl'

const PAID_AT = 1_767_225_600_000
const RECEIPT = UnexpectedReceipt.fromPartial({
  id: 12,
  reason: UnexpectedReason.UNKNOWN_BOLETO,
  receivedAmount: 700,
  unexpectedAmount: 700,
  account: '9000001',
  ourNumber: '12345670000000004',
  bankReceiptId: 'LIQ-1',
  paidAt: PAID_AT,
})
const REFUND = RefusedRefund.fromPartial({
  sellerId: 9,
  invoiceId: 77,
  transactionId: 31,
  chargeId: 981,
  amount: 9_980,
  refusals: 6,
  acquirerCode: '311',
  createdAt: PAID_AT,
})

let network: TestNetwork
let invoices: ReturnType<typeof createInvoices>
const asked: { rpc: string; request: unknown }[] = []
let dir: string
let env: Record<string, string>

beforeAll(async () => {
  network = await openTestNetwork()
  invoices = createInvoices({ onAdminCall: (rpc, request) => void asked.push({ rpc, request }) })
  const server = await network.serve('invoices', invoices.services(createLog('test', 'silent')))
  dir = mkdtempSync(join(tmpdir(), 'cofrectl-invoices-'))
  const write = (name: string, text: string) => (writeFileSync(join(dir, name), text), join(dir, name))
  const { ca, cert, key } = await network.tlsFor('cofrectl')
  env = {
    COFRE_INVOICES_ADDRESS: server.address,
    COFRE_TLS_CA_FILE: write('authority.crt', ca),
    COFRE_TLS_CERT_FILE: write('cofrectl.crt', cert),
    COFRE_TLS_KEY_FILE: write('cofrectl.key', key),
    USER: 'bruno',
  }
})
beforeEach(() => {
  asked.splice(0)
  invoices.admin.receipts.splice(0)
  invoices.admin.refunds.splice(0)
})
afterAll(async () => {
  await network.close()
  rmSync(dir, { recursive: true })
})

async function run(line: string, given: Record<string, string> = env) {
  const [output, errors] = [new PassThrough(), new PassThrough()]
  const args = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([whole, quoted]) => quoted ?? whole)
  const code = await cofrectl(args, { input: Readable.from(['']), output, errors, env: given, cwd: '/' })
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, out: text(output), err: text(errors) }
}

test('account number raises the numbers of an agreement, and shows the next one', async () => {
  const { code, out } = await run('account number --seller 9 --name 1234567 --first-number 5001')
  expect([code, out]).toEqual([0, 'seller       9\nagreement    1234567\nnext number  5001\n'])
  expect(asked.at(-1)).toMatchObject({
    rpc: 'raiseBoletoNumbers',
    request: { sellerId: 9, account: '1234567', firstNumber: 5001 },
  })
  expect((await run('account number --seller 9 --name 1234567')).code).toBe(2)
})

describe('receipt', () => {
  test('list shows receipts without a seller, or those of one', async () => {
    expect(await run('receipt list')).toEqual({ code: 0, out: 'none\n', err: '' })
    invoices.admin.receipts.push(RECEIPT)
    expect((await run('receipt list --seller 9')).out).toBe(
      'RECEIPT  SELLER  ACCOUNT  BOLETO             BANK RECEIPT  AMOUNT  REASON          PAID\n' +
        '12       -       9000001  12345670000000004  LIQ-1         700     UNKNOWN_BOLETO  2026-01-01T00:00:00.000Z\n',
    )
    expect(asked.map(({ request }) => request)).toEqual([{ sellerId: undefined }, { sellerId: 9 }])
    const { out } = await run('--json receipt list')
    expect(JSON.parse(out)).toMatchObject({ receipts: [{ id: 12, unexpectedAmount: 700 }], more: false })
  })

  test('close records the action and its author', async () => {
    invoices.admin.receipts.push(RECEIPT)
    const { code, out } = await run('receipt close --receipt 12 --reason "ticket 4711" --by ana')
    expect([code, out]).toEqual([
      0,
      'receipt  12\namount   700\nreason   ticket 4711\nby       ana\nclosed   2026-01-01T00:00:00.000Z\n',
    ])
    await run('receipt close --receipt 12 --reason x')
    const closed = asked.map(({ request }) => request)
    expect(closed).toEqual([
      { receiptId: 12, reason: 'ticket 4711', closedBy: 'ana' },
      { receiptId: 12, reason: 'x', closedBy: 'bruno' },
    ])
  })

  test("close requires a receipt and a reason, and shows the service's refusal", async () => {
    expect((await run('receipt close --receipt 12')).code).toBe(2)
    expect((await run('receipt close --reason x')).code).toBe(2)
    expect((await run('receipt close --receipt LIQ-1 --reason x')).code).toBe(2)
    expect(asked).toEqual([])
    const refused = { code: 1, out: '', err: 'cofrectl: NOT_FOUND: There is no such receipt.\n' }
    expect(await run('receipt close --receipt 99 --reason x')).toEqual(refused)
  })
})

describe('refund', () => {
  test('list shows refunds that the acquirer refused for good', async () => {
    expect((await run('refund list')).out).toBe('none\n')
    invoices.admin.refunds.push(REFUND)
    expect((await run('refund list --seller 9')).out).toBe(
      'SELLER  INVOICE  TRANSACTION  CHARGE  AMOUNT  REFUSALS  ACQUIRER CODE  SINCE\n' +
        '9       77       31           981     9980    6         311            2026-01-01T00:00:00.000Z\n',
    )
    expect(asked.map(({ request }) => request)).toEqual([{ sellerId: undefined }, { sellerId: 9 }])
  })

  test('retry and close name the seller and the transaction', async () => {
    invoices.admin.refunds.push(REFUND)
    const retried = await run('refund retry --seller 9 --transaction 31')
    expect([retried.code, retried.out]).toEqual([0, 'transaction  31\nstatus       RETRYING\n'])
    const closed = await run('--json refund close --seller 9 --transaction 31 --reason "bank transfer"')
    expect([closed.code, JSON.parse(closed.out)]).toEqual([0, { transaction: 31, status: 'CLOSED' }])
    expect(asked).toEqual([
      { rpc: 'retryRefund', request: { sellerId: 9, transactionId: 31 } },
      {
        rpc: 'closeRefund',
        request: { sellerId: 9, transactionId: 31, reason: 'bank transfer', closedBy: 'bruno' },
      },
    ])
  })

  test.each([
    ['refund retry --seller 9', 2, '--transaction'],
    ['refund close --seller 9 --transaction 31', 2, '--reason'],
    ['refund retry --seller 9 --transaction 31', 1, 'NOT_FOUND'],
    ['refund close --seller 9 --transaction 31 --reason x', 1, 'NOT_FOUND'],
  ])('%s is refused', async (line, code, words) => {
    const refused = await run(line)
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(words)])
  })
})

test('pix webhook registers the address of a key at its bank, and shows what the bank had and has', async () => {
  const { code, out } = await run('pix webhook --seller 9')
  expect([code, out]).toEqual([
    0,
    'key     7d9f0335-8dcc-4054-9bf9-0dbd61d36906\nbefore  NONE\nnow     https://pay.example.com/partners/pix/…\n',
  ])
  expect(asked).toEqual([{ rpc: 'registerPixWebhook', request: { sellerId: 9 } }])
  expect((await run('pix webhook')).code).toBe(2)
})

test.each([
  'receipt',
  'receipt list',
  'receipt close',
  'refund',
  'refund list',
  'refund retry',
  'refund close',
  'pix',
  'pix webhook',
])('%s --help shows its usage', async (line) => {
  const { code, out } = await run(`${line} --help`)
  expect([code, out]).toEqual([0, expect.stringContaining(`Usage: cofrectl ${line}`)])
})

test('an invoices service that does not answer is named', async () => {
  const { code, err } = await run('receipt list', { ...env, COFRE_INVOICES_ADDRESS: '127.0.0.1:1' })
  expect([code, err]).toEqual([1, expect.stringContaining('invoices at 127.0.0.1:1')])
})
