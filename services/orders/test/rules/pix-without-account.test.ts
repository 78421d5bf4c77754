import { requestRefund } from '../../src/charge/refund'
import type { Charge } from '../../src/charge/charge'
import type { ReceivedPix } from '../../src/pix/bank/pix-bank'
import { adoptBank, registered } from '../../src/pix/rules/adopt-bank'
import { newPixCharge } from '../../src/pix/rules/new-pix-charge'
import { withoutAccount } from '../../src/pix/rules/without-account'
import { TERMS } from './charges'

const WEEK_MS = 7 * 86_400_000
const EXPIRES_AT = 5_000
const ORDER = {
  sellerId: 1,
  orderReference: null,
  externalReference: null,
  notificationUrl: null,
  amount: 100,
  metadata: {},
  requestId: null,
}
const paidBy = (...endToEndIds: string[]) => ({
  txid: 'T',
  amount: 100,
  account: 'key',
  copyAndPaste: 'code',
  state: 'paid' as const,
  received: endToEndIds.map((endToEndId): ReceivedPix => ({
    endToEndId,
    amount: 100,
    payerName: null,
    payerDocument: null,
    devolutions: [],
  })),
})
const pending = newPixCharge(ORDER, { txid: 'T', account: 'key', expiresAt: EXPIRES_AT }, TERMS)
const waiting = registered(pending, 'code', 2_000).charge
const adopt = (charge: Charge, ...pix: string[]) =>
  adoptBank(charge, { bank: paidBy(...pix), at: 3_000, graceMs: 50 }, 'op-2')!.charge
const captured = adopt(waiting, 'E1')

test('a charge that nobody can ask about ends a week after its time, and no sooner', () => {
  expect(withoutAccount(waiting, EXPIRES_AT + WEEK_MS - 1)).toBeUndefined()
  expect(withoutAccount(waiting, EXPIRES_AT + WEEK_MS)).toMatchObject({
    events: ['charge.expired'],
    charge: {
      status: 'EXPIRED',
      askAt: null,
      transactions: [{ status: 'FAILED', failure: { code: 'NO_ACCOUNT', acquirerCode: '' } }],
    },
  })
})

test('a return that nobody can ask about ends a week after it was asked for; the payment stays', () => {
  const terms = { operationId: 'refund', at: 9_000, deadline: 9_500, firstAskAt: 9_200 }
  const refunding = requestRefund(captured, { amount: 40, reason: null }, terms).charge
  expect(withoutAccount(refunding, 9_000 + WEEK_MS - 1)).toBeUndefined()
  expect(withoutAccount(refunding, 9_000 + WEEK_MS)).toMatchObject({
    events: [],
    charge: {
      status: 'CAPTURED',
      refundedAmount: 0,
      payments: [{ status: 'CAPTURED' }],
      transactions: [{}, {}, { status: 'FAILED', failure: { code: 'NO_ACCOUNT' } }],
    },
  })
})

test('a Pix that nobody owed, and that nobody can ask about, is told to the seller', () => {
  const second = adopt(captured, 'E1', 'E2')
  expect(withoutAccount(second, 3_000 + WEEK_MS - 1)).toBeUndefined()
  expect(withoutAccount(second, 3_000 + WEEK_MS)).toMatchObject({
    events: ['charge.void_failed'],
    charge: { status: 'CAPTURED', transactions: [{}, {}, { type: 'VOID', status: 'FAILED' }] },
  })
})

test('a charge without anything on its way is left alone', () => {
  expect(withoutAccount(captured, 99 * WEEK_MS)).toBeUndefined()
})
