import { closeByHand } from '../../src/charge/close-by-hand'
import { allowedActions, type Charge } from '../../src/charge/charge'
import { requestRefund } from '../../src/charge/refund'
import type { BankCharge, ReceivedPix } from '../../src/pix/bank/pix-bank'
import { adoptBank, cancelled, isToWithdraw, registered } from '../../src/pix/rules/adopt-bank'
import { newPixCharge } from '../../src/pix/rules/new-pix-charge'
import { returnsDue } from '../../src/pix/rules/returns'
import { OVER, STILL, TERMS } from './charges'

const GRACE_MS = 50
const EXPIRES_AT = 5_000
const DAY_MS = 86_400_000
const DAYS_90_MS = 90 * DAY_MS

const ORDER = {
  sellerId: 1,
  orderReference: null,
  externalReference: null,
  notificationUrl: null,
  amount: 100,
  metadata: {},
  requestId: null,
}
const pending = newPixCharge(ORDER, { txid: 'T', account: 'key', expiresAt: EXPIRES_AT }, TERMS)
const received = (change: Partial<ReceivedPix> = {}): ReceivedPix => ({
  endToEndId: 'E1',
  amount: 100,
  payerName: 'Ana',
  payerDocument: null,
  devolutions: [],
  ...change,
})
const bankWith = (change: Partial<BankCharge> = {}): BankCharge => ({
  txid: 'T',
  amount: 100,
  account: 'key',
  copyAndPaste: 'code',
  state: 'open',
  received: [],
  ...change,
})
const adopt = (charge: Charge, bank: BankCharge | null, at = 3_000) =>
  adoptBank(charge, { bank, at, graceMs: GRACE_MS }, 'op-2')
const waiting = registered(pending, 'code', 2_000).charge
const captured = adopt(waiting, bankWith({ state: 'paid', received: [received()] }))!.charge

test('a registration is news once; a charge that ended takes none', () => {
  expect(registered(pending, 'code', 2_000)).toMatchObject({
    events: ['charge.pending'],
    marks: { answered: ['operation'] },
  })
  expect(registered(waiting, 'other', 2_000)).toMatchObject({
    events: [],
    charge: { payments: [{ pix: { copyAndPaste: 'code' } }] },
  })
  expect(registered(captured, 'other', 4_000).charge.payments).toEqual(captured.payments)
})

test('an open charge that is known changes nothing; an unknown one shows its code', () => {
  expect(adopt(waiting, bankWith())).toBeUndefined()
  expect(adopt(pending, bankWith())?.events).toEqual(['charge.pending'])
})

test('silence proves nothing until the deadline and the grace are over', () => {
  expect(adopt(pending, null, STILL)).toBeUndefined()
  expect(adopt(pending, null, OVER)?.charge).toMatchObject({ status: 'FAILED', lookAgainAt: null })
})

test('a Pix of the amount captures; the bank’s word alone, without a Pix, does not', () => {
  expect(captured).toMatchObject({
    status: 'CAPTURED',
    capturedAmount: 100,
    payments: [{ reference: { paymentId: 'E1' }, pix: { payerName: 'Ana' } }],
  })
  expect(adopt(waiting, bankWith({ state: 'paid' }))).toBeUndefined()
})

const ofAnotherAmount = [received({ amount: 99 })]

test.each([
  ['NOT_PAID', waiting, bankWith({ state: 'removed' })],
  ['CANCELLED', cancelled(waiting, 2_500).charge, bankWith({ state: 'removed' })],
  ['WRONG_AMOUNT', waiting, bankWith({ state: 'paid', received: ofAnotherAmount })],
])(
  'a charge that nobody can pay any more is EXPIRED, held nothing, and says why: %s',
  (code, charge, bank) => {
    const decision = adopt(charge, bank)
    expect(decision).toMatchObject({
      events: ['charge.expired'],
      charge: {
        status: 'EXPIRED',
        authorizedAmount: 0,
        askAt: null,
        transactions: [{ status: 'FAILED', failure: { code } }],
      },
    })
  },
)

test('a Pix of another amount is given back, and the charge waits on while its bank has it open', () => {
  const { charge } = adopt(waiting, bankWith({ received: ofAnotherAmount }))!
  expect(charge).toMatchObject({ status: 'PENDING', transactions: [{}, { type: 'VOID', amount: 99 }] })
  const paid = adopt(
    charge,
    bankWith({ state: 'paid', received: [...ofAnotherAmount, received({ endToEndId: 'E2' })] }),
  )
  expect(paid?.charge).toMatchObject({ status: 'CAPTURED', payments: [{ reference: { paymentId: 'E2' } }] })
})

test('a charge can be cancelled while it waits for its Pix, and can not be refunded', () => {
  expect(allowedActions(waiting)).toEqual(['cancel', 'metadata'])
  expect(allowedActions(captured)).toEqual(['refund', 'metadata'])
  expect(() => requestRefund(waiting, { amount: 40, reason: null }, TERMS)).toThrow(
    'The Pix is not paid yet. To withdraw it, cancel the charge.',
  )
})

test('a charge is withdrawn from its last moment on, and when it failed', () => {
  const at = (charge: Charge, time: number, state: BankCharge['state'] = 'open') =>
    isToWithdraw(charge, { bank: bankWith({ state }), at: time, graceMs: GRACE_MS })
  expect([at(waiting, EXPIRES_AT - 1), at(waiting, EXPIRES_AT)]).toEqual([false, true])
  expect([at(waiting, EXPIRES_AT, 'paid'), at(captured, EXPIRES_AT)]).toEqual([false, false])
  expect(at(adopt(pending, null, OVER)!.charge, 3_000)).toBe(true)
})

const refunded = requestRefund(
  captured,
  { amount: 40, reason: null },
  { ...TERMS, operationId: 're-fund' },
).charge
const withReturn = (state: 'running' | 'done' | 'failed') =>
  bankWith({
    state: 'paid',
    received: [received({ devolutions: [{ id: 'refund', amount: 40, state }] })],
  })

test('a refund ends as its own return ends', () => {
  expect(adopt(refunded, withReturn('running'), 9_999_999)).toBeUndefined()
  expect(adopt(refunded, withReturn('done'))).toMatchObject({
    events: ['charge.refunded'],
    charge: { status: 'PARTIALLY_REFUNDED', refundedAmount: 40 },
  })
  const failed = adopt(refunded, withReturn('failed'))?.charge
  expect(failed?.transactions.at(-1)?.failure).toEqual({
    code: 'ACQUIRER_REFUSED',
    acquirerCode: 'NAO_REALIZADO',
  })
  const silent = bankWith({ state: 'paid', received: [received()] })
  expect(adopt(refunded, silent, STILL)).toBeUndefined()
  expect(adopt(refunded, silent, OVER)?.charge.transactions.at(-1)?.failure?.code).toBe('NOT_DONE')
})

/** The charge, with its returns on their way since a moment. */
const sent = (charge: Charge, dispatchDeadline = 2_000): Charge => ({
  ...charge,
  transactions: charge.transactions.map((one) => (one.endToEndId ? { ...one, dispatchDeadline } : one)),
})
const secondWith = (...devolutions: ReceivedPix['devolutions']) =>
  bankWith({ state: 'paid', received: [received(), received({ endToEndId: 'E2', devolutions })] })

test('a return that the bank did not make is tried again at once, then a day later each time, five times', () => {
  const bank = secondWith()
  const failedAt = (charge: Charge, at: number) => adopt(sent(charge), bank, at)!
  const first = adopt(captured, bank)!.charge
  expect(adopt(sent(first), bank, 2_000 + GRACE_MS)).toBeUndefined()
  const failed = failedAt(first, 3_000)
  expect(failed).toMatchObject({
    events: [],
    charge: { transactions: [{}, {}, { failure: { code: 'NOT_DONE' } }] },
  })
  let charge = adopt(failed.charge, bank)!.charge
  for (const tries of [2, 3, 4]) {
    const at = 3_000 + (tries - 2) * DAY_MS
    charge = failedAt(charge, at).charge
    expect(adopt(charge, bank, at + DAY_MS - 1)).toBeUndefined()
    charge = adopt(charge, bank, at + DAY_MS)!.charge
  }
  const last = failedAt(charge, 3_000 + 3 * DAY_MS)
  expect(last.events).toEqual(['charge.void_failed'])
  expect(adopt(last.charge, bank, 9 * DAY_MS)).toBeUndefined()
})

test('a return fails as the bank ends it, and the next one is of what is left', () => {
  const given = sent(adopt(captured, secondWith())!.charge)
  const bank = secondWith({ id: 'op2', amount: 100, state: 'failed' }, { id: 'x', amount: 30, state: 'done' })
  const failed = adopt(given, bank)!.charge
  expect(failed.transactions.at(-1)?.failure?.acquirerCode).toBe('NAO_REALIZADO')
  expect(adopt(failed, bank)?.charge.transactions.at(-1)).toMatchObject({ amount: 70, status: 'PENDING' })
  expect(adopt(failed, secondWith({ id: 'x', amount: 100, state: 'done' }))).toBeUndefined()
})

test('a return that people closed, because they paid the payer otherwise, is not tried again', () => {
  const given = adopt(captured, secondWith())!.charge
  const found = { happened: true, acquirerPaymentId: '', by: 'ana', reason: 'r' }
  const { charge } = closeByHand(given, 3, found, 9 * DAY_MS)
  expect(adopt(charge, secondWith(), 99 * DAY_MS)).toBeUndefined()
})

test('a Pix that nobody owes is given back once, less what the bank has returned', () => {
  const second = received({ endToEndId: 'E2', devolutions: [{ id: 'x', amount: 30, state: 'done' }] })
  const bank = bankWith({ state: 'paid', received: [received(), second] })
  const given = adopt(captured, bank)!.charge
  expect(given.transactions.at(-1)).toMatchObject({
    type: 'VOID',
    cause: 'RELEASE',
    amount: 70,
    endToEndId: 'E2',
    operationId: 'op-2',
  })
  expect(given).toMatchObject({ status: 'CAPTURED', capturedAmount: 100, askAt: 3_000 })
  expect(adopt(given, bank)).toBeUndefined()
  const heard = { bank, at: 3_000, graceMs: GRACE_MS }
  expect(returnsDue(given, heard)).toHaveLength(1)
  expect(returnsDue(given, { ...heard, bank: null })).toEqual([])
  expect(returnsDue(sent(given), heard)).toEqual([])
  const whole = received({ endToEndId: 'E2', devolutions: [{ id: 'x', amount: 100, state: 'running' }] })
  expect(adopt(captured, bankWith({ state: 'paid', received: [received(), whole] }))).toBeUndefined()
})

test('a Pix is refunded for 90 days after its capture, to the millisecond', () => {
  const at = (time: number) => () =>
    requestRefund(captured, { amount: 40, reason: null }, { ...TERMS, at: time })
  expect(at(3_000 + DAYS_90_MS)).not.toThrow()
  expect(at(3_001 + DAYS_90_MS)).toThrow('Banks return a Pix for 90 days after it was paid.')
})

test('the 90 days are those of a Pix that was paid: of no card, and of no Pix that waits', () => {
  const refund = (charge: Charge) => () =>
    requestRefund(charge, { amount: 40, reason: null }, { ...TERMS, at: 3_001 + DAYS_90_MS })
  expect(refund({ ...captured, acquirer: 'cielo' })).not.toThrow()
  expect(refund(pending)).toThrow(expect.objectContaining({ reason: 'INVALID_CHARGE_STATE' }))
  expect(refund(pending)).not.toThrow('90 days')
})

test('a Pix charge that people close as failed gets no second look: the comparison of the books finds late money', () => {
  const found = { happened: false, acquirerPaymentId: '', by: 'ana', reason: 'r' }
  expect(closeByHand(waiting, 1, found, 9_000).charge).toMatchObject({ status: 'FAILED', lookAgainAt: null })
})
