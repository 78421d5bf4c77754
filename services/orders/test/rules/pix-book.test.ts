import { adoptBank, isToWithdraw, registered } from '../../src/pix/rules/adopt-bank'
import type { ReceivedPix } from '../../src/pix/bank/pix-bank'
import { newPixCharge } from '../../src/pix/rules/new-pix-charge'
import { paidPix, pixPaymentOf } from '../../src/pix/rules/pix-book'
import { pendingCharge, TERMS } from './charges'

const ORDER = {
  sellerId: 1,
  orderReference: null,
  externalReference: null,
  notificationUrl: null,
  amount: 100,
  metadata: {},
  requestId: null,
}
const received = (endToEndId: string, ...devolutions: ReceivedPix['devolutions']): ReceivedPix => ({
  endToEndId,
  amount: 100,
  payerName: 'Ana',
  payerDocument: '***456789**',
  devolutions,
})
const bank = (...pix: ReceivedPix[]) => ({
  txid: 'T',
  amount: 100,
  account: 'key',
  copyAndPaste: 'code',
  state: 'paid' as const,
  received: pix,
})
const pending = newPixCharge(ORDER, { txid: 'T', account: 'key', expiresAt: 5_000 }, TERMS)
const heard = (...pix: ReceivedPix[]) => ({ bank: bank(...pix), at: 3_000, graceMs: 50 })
const waiting = registered(pending, 'code', 2_000).charge
const captured = adoptBank(waiting, heard(received('E1')), 'op')!.charge

test('the book of a bank has the Pix that paid, less what was given back of it; of another Pix it has nothing', () => {
  const payment = pixPaymentOf(captured)
  const returned = received(
    'E1',
    { id: 'a', amount: 30, state: 'done' },
    { id: 'b', amount: 20, state: 'running' },
    { id: 'c', amount: 10, state: 'failed' },
    { id: 'd', amount: 5, state: 'done' },
  )
  const other = received('E2', { id: 'e', amount: 100, state: 'done' })
  expect(paidPix(payment, bank(other, returned))).toEqual({
    result: 'found',
    state: 'captured',
    amount: 100,
    capturedAmount: 100,
    voidedAmount: 35,
    code: '',
    adviceCode: '',
    reference: payment.reference,
  })
  expect(paidPix(payment, bank(other))).toEqual({ result: 'absent' })
  expect(paidPix(payment, null)).toEqual({ result: 'absent' })
})

test('a charge of cards is no charge of a Pix', () => {
  expect(() => pixPaymentOf(pendingCharge(100))).toThrow('a Pix charge without its Pix')
  expect(() => pixPaymentOf({ ...pendingCharge(100), payments: [] })).toThrow('without its Pix')
})

test('a payment shows its code and who paid, and answers its request', () => {
  expect(captured.payments[0]?.pix).toMatchObject({
    account: 'key',
    expiresAt: 5_000,
    copyAndPaste: 'code',
    payerName: 'Ana',
    payerDocument: '***456789**',
  })
  expect(adoptBank(pending, { bank: null, at: 2_051, graceMs: 50 }, 'op')?.charge.transactions).toMatchObject(
    [{ status: 'FAILED', failure: { code: 'NOT_SENT' } }],
  )
  expect(registered(waiting, 'code', 2_000).marks).toEqual({ answered: ['operation'], freed: [] })
})

test('what the bank does not know needs no withdrawal', () => {
  expect(isToWithdraw(waiting, { bank: null, at: 9_000, graceMs: 50 })).toBe(false)
})
