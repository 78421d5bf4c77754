import { InvoiceStatus, MovementMethod, type Invoice } from '@cofre/proto/invoices/v1/invoices'
import { MovementKind } from '@cofre/proto/invoices/v1/money'
import { PixRefundStatus } from '@cofre/proto/invoices/v1/pix'
import { callRpc } from '@cofre/platform/grpc/client'
import { NO_ACCOUNT } from '@cofre/testing/stand-ins/accounts'
import { settleDevolution } from '../../sandbox/src/pix/received/settle'
import { moveClock } from '../../services/invoices/src/clock/billing-clock'
import {
  create,
  createRecipient,
  DAY_MS,
  finalize,
  get,
  invoiceFor,
  newShop,
} from '../../services/invoices/test/support/invoices'
import { eventsSent } from '../../services/invoices/test/support/payments'
import { withKey } from '../../services/invoices/test/support/repeated'
import {
  hear,
  lookAtRefunds,
  paidInvoice,
  payWith,
  readRefund,
  refund,
  refunded,
  refundAgain,
  refundsOf,
  returnsAt,
} from './refund'
import { issue, movementsOf, PIX_KEY, startPix, type TestPix } from './start-pix'

let pix: TestPix
beforeAll(async () => {
  pix = await startPix()
})
afterAll(() => pix.stop())
afterEach(() => {
  moveClock(0)
  pix.faults.clear()
  pix.bank.nextDevolutions = []
})

const { PENDING, SUCCEEDED, FAILED } = PixRefundStatus
const EXCEEDS = { kind: 'failed_precondition', reason: 'REFUND_EXCEEDS_CAPTURED' }

const nextChange = (kind: 'ANSWER_LOST' | 'HTTP_500' | 'DONE_500') =>
  pix.faults.add({ partner: 'PIX_BANK', kind, times: 1, delayMs: 0, changes: true, queries: false })
const nextEnd = (status: 'EM_PROCESSAMENTO' | 'NAO_REALIZADO') =>
  pix.bank.nextDevolutions.push({ status, times: 1 })
const sum = (amounts: readonly { amount: number }[]) => amounts.reduce((all, { amount }) => all + amount, 0)
const refundedOf = async (invoice: Invoice) => (await get(pix, invoice)).refundedAmount

test('a refund gives all of a Pix back: movement, sum, event, and the invoice stays PAID', async () => {
  const { invoice, endToEndId } = await paidInvoice(pix)
  const made = await refunded(pix, invoice, { reason: 'Sold out.' })
  expect(made).toMatchObject({
    status: SUCCEEDED,
    amount: 9_980,
    endToEndId,
    nature: '',
    reason: 'Sold out.',
  })
  expect(returnsAt(pix, endToEndId)).toMatchObject([{ id: made.number, amount: 9_980, status: 'DEVOLVIDO' }])
  expect(await get(pix, invoice)).toMatchObject({ status: InvoiceStatus.PAID, refundedAmount: 9_980 })
  expect(await movementsOf(pix, invoice)).toMatchObject([
    {
      kind: MovementKind.REFUND,
      method: MovementMethod.PIX,
      amount: 9_980,
      note: 'Sold out.',
      pix: { endToEndId },
    },
    { kind: MovementKind.PAYMENT },
  ])
  expect(await eventsSent(pix, invoice)).toContain('invoice.refunded')
  expect(await readRefund(pix, made)).toEqual(made)
  await expect(refund(pix, invoice)).rejects.toMatchObject({ reason: 'REFUND_UNAVAILABLE' })
})

test('parts go back one by one, and no more than came', async () => {
  const { invoice, endToEndId } = await paidInvoice(pix)
  await refund(pix, invoice, { amount: 5_000 })
  await refund(pix, invoice, { amount: 4_000 })
  await expect(refund(pix, invoice, { amount: 981 })).rejects.toMatchObject(EXCEEDS)
  expect(await refunded(pix, invoice)).toMatchObject({ status: SUCCEEDED, amount: 980 })
  expect(sum(returnsAt(pix, endToEndId))).toBe(9_980)
  expect(await refundedOf(invoice)).toBe(9_980)
})

test('ten refunds of a third at once: three go', async () => {
  const { invoice, endToEndId } = await paidInvoice(pix)
  const asked = await Promise.allSettled(
    Array.from({ length: 10 }, () => refund(pix, invoice, { amount: 3_000 })),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(sum(returnsAt(pix, endToEndId))).toBe(9_000)
  await lookAtRefunds(pix)
  expect(await refundedOf(invoice)).toBe(9_000)
})

test('the bank does not give it back: the refund is FAILED, its event is sent, and the money can be asked for again', async () => {
  const { invoice } = await paidInvoice(pix)
  nextEnd('NAO_REALIZADO')
  expect(await refunded(pix, invoice)).toMatchObject({
    status: FAILED,
    refusal: 'A conta do pagador foi encerrada.',
  })
  expect(await eventsSent(pix, invoice)).toContain('invoice.refund_failed')
  expect(await refundedOf(invoice)).toBe(0)
  expect(await refunded(pix, invoice)).toMatchObject({ status: SUCCEEDED, amount: 9_980 })
})

test('a seller without an account: the refund is FAILED, and nothing leaves', async () => {
  const { invoice, endToEndId } = await paidInvoice(pix)
  await pix.pool.query('UPDATE receipts SET account = $1 WHERE invoice_id = $2', [NO_ACCOUNT, invoice.id])
  expect(await refund(pix, invoice)).toMatchObject({ status: FAILED, refusal: 'NO_ACCOUNT' })
  expect(returnsAt(pix, endToEndId)).toEqual([])
})

test('a refund without an answer whose account is gone is PENDING for a week, then FAILED, and its money is free', async () => {
  const { invoice } = await paidInvoice(pix)
  nextChange('ANSWER_LOST')
  const made = await refund(pix, invoice)
  const setAccount = (account: string) =>
    pix.pool.query('UPDATE pix_refunds SET account = $1 WHERE id = $2', [account, made.id])
  await setAccount(NO_ACCOUNT)
  await lookAtRefunds(pix)
  expect(await readRefund(pix, made)).toMatchObject({ status: PENDING })
  moveClock(7 * DAY_MS)
  await Promise.all([lookAtRefunds(pix), lookAtRefunds(pix)])
  expect(await readRefund(pix, made)).toMatchObject({ status: FAILED, refusal: 'ACCOUNT_GONE' })
  const failures = (await eventsSent(pix, invoice)).filter((type) => type === 'invoice.refund_failed')
  expect(failures).toHaveLength(1)
  expect(await refundedOf(invoice)).toBe(0)
})

test('a repeated key is one refund', async () => {
  const { invoice, endToEndId } = await paidInvoice(pix)
  const once = () => withKey('refund-1', () => refundAgain(pix, invoice, 2_000))
  const first = await once()
  expect(await once()).toEqual({ response: first.response, replayed: true })
  expect(returnsAt(pix, endToEndId)).toHaveLength(1)
})

test.each(['ANSWER_LOST', 'DONE_500', 'HTTP_500'] as const)(
  '%s: the refund is PENDING, holds its money, and the sweeper learns its end under the same number',
  async (fault) => {
    const { invoice, endToEndId } = await paidInvoice(pix)
    nextChange(fault)
    const once = () => withKey(`lost-${fault}`, () => refundAgain(pix, invoice, 9_000))
    const { response: made } = await once()
    expect(made.status).toBe(PENDING)
    await expect(refund(pix, invoice, { amount: 1_000 })).rejects.toMatchObject(EXCEEDS)
    await lookAtRefunds(pix)
    await lookAtRefunds(pix)
    expect(await readRefund(pix, made)).toMatchObject({ status: SUCCEEDED, number: made.number })
    expect((await once()).response).toEqual(made)
    expect(returnsAt(pix, endToEndId)).toMatchObject([{ id: made.number, amount: 9_000 }])
    expect(await refundedOf(invoice)).toBe(9_000)
  },
)

test('a process that dies before its call leaves a refund that the sweeper sends', async () => {
  const { invoice, endToEndId } = await paidInvoice(pix)
  nextChange('HTTP_500')
  const dead = await refund(pix, invoice)
  expect(returnsAt(pix, endToEndId)).toEqual([])
  await Promise.all([lookAtRefunds(pix), lookAtRefunds(pix)])
  await lookAtRefunds(pix)
  expect(returnsAt(pix, endToEndId)).toMatchObject([{ id: dead.number }])
  expect(await refundedOf(invoice)).toBe(9_980)
})

test.each(['DEVOLVIDO', 'NAO_REALIZADO'] as const)(
  'a refund in process becomes %s by the notice of the bank, once',
  async (end) => {
    const { invoice, charge, endToEndId } = await paidInvoice(pix)
    nextEnd('EM_PROCESSAMENTO')
    const made = await refund(pix, invoice)
    expect(made.status).toBe(PENDING)
    await lookAtRefunds(pix)
    expect((await readRefund(pix, made)).status).toBe(PENDING)
    const received = pix.bank.received.get(endToEndId)
    if (!received) throw new Error('the bank has no such Pix')
    settleDevolution(pix.bank, received, made.number, end, Date.now())
    await hear(pix, charge)
    await lookAtRefunds(pix)
    await hear(pix, charge)
    const isGone = end === 'DEVOLVIDO'
    expect((await readRefund(pix, made)).status).toBe(isGone ? SUCCEEDED : FAILED)
    expect(await refundedOf(invoice)).toBe(isGone ? 9_980 : 0)
    const type = isGone ? 'invoice.refunded' : 'invoice.refund_failed'
    expect((await eventsSent(pix, invoice)).filter((each) => each === type)).toHaveLength(1)
  },
)

test('of several Pix, the one that goes back is named', async () => {
  const { invoice, endToEndId } = await paidInvoice(
    pix,
    { partialPayments: true },
    { amountInCents: 5_000, forced: true },
  )
  const second = await payWith(pix, await issue(pix, invoice))
  await expect(refund(pix, invoice)).rejects.toMatchObject({ kind: 'invalid_argument' })
  expect(await refund(pix, invoice, { endToEndId })).toMatchObject({ amount: 5_000, endToEndId })
  const unknown = { endToEndId: 'E'.repeat(32) }
  await expect(refund(pix, invoice, unknown)).rejects.toMatchObject({ kind: 'invalid_argument' })
  expect(await refunded(pix, invoice)).toMatchObject({ amount: 4_980, endToEndId: second.endToEndId })
  expect((await refundsOf(pix, invoice)).map(({ amount }) => amount)).toEqual([4_980, 5_000])
})

test('after 90 days nothing can go back', async () => {
  const { invoice } = await paidInvoice(pix)
  moveClock(91 * DAY_MS)
  await expect(refund(pix, invoice)).rejects.toMatchObject({ reason: 'REFUND_UNAVAILABLE' })
})

test('money that is on its way back cannot be recorded as returned', async () => {
  const { invoice } = await paidInvoice(pix)
  nextEnd('EM_PROCESSAMENTO')
  await refund(pix, invoice, { amount: 9_000 })
  const { sellerId, id: invoiceId } = invoice
  const request = { sellerId, invoiceId, amount: 981, returnedAt: Date.now() - 1, reference: '' }
  await expect(callRpc(pix.money, pix.money.recordReturn, request)).rejects.toMatchObject({
    kind: 'invalid_argument',
  })
  await callRpc(pix.money, pix.money.recordReturn, { ...request, amount: 980 })
  await expect(refund(pix, invoice, { amount: 1 })).rejects.toMatchObject({ reason: 'REFUND_UNAVAILABLE' })
})

test('a recipient of a split is owed less, in the proportion of what goes back', async () => {
  const shop = await newShop(pix)
  pix.accounts.enabled.set(shop.sellerId, PIX_KEY)
  const { id: recipientId } = await createRecipient(pix, shop.sellerId)
  const split = { recipientId, amountInCents: undefined, percentageBps: 1_000 }
  const splits = [{ ...split, liable: true, chargeProcessingFee: false }]
  const invoice = await create(pix, invoiceFor(shop, { splits }))
  await finalize(pix, invoice)
  await payWith(pix, await issue(pix, invoice))
  await refunded(pix, invoice, { amount: 4_990 })
  const { rows } = await pix.pool.query(
    'SELECT amount FROM recipient_entries WHERE recipient_id = $1 ORDER BY id',
    [recipientId],
  )
  expect(rows).toEqual([{ amount: 998 }, { amount: -499 }])
})

test('another seller’s invoice and refund are not found', async () => {
  const { invoice } = await paidInvoice(pix)
  const made = await refund(pix, invoice)
  const sellerId = invoice.sellerId + 100_000
  const absent = { kind: 'not_found' }
  await expect(refund(pix, { ...invoice, sellerId })).rejects.toMatchObject(absent)
  await expect(readRefund(pix, { ...made, sellerId })).rejects.toMatchObject(absent)
  await expect(refundsOf(pix, { ...invoice, sellerId })).rejects.toMatchObject(absent)
})
