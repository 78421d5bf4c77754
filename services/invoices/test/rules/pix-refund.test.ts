import { DomainError } from '@cofre/platform/errors'
import type { BankReturn } from '../../src/methods/ask'
import { canBeGivenBack, settled, withoutAccount, type PixRefund } from '../../src/pix/rules/pix-refund'

const DAY_MS = 86_400_000

const PENDING: PixRefund = {
  id: 1,
  sellerId: 1,
  receiptId: 2,
  invoiceId: 3,
  account: 'key',
  endToEndId: 'E1',
  number: 'n1',
  amount: 500,
  status: 'PENDING',
  nature: null,
  note: null,
  refusal: null,
  dispatchDeadline: 10,
  operationId: 'op',
  askAt: 20,
  createdAt: 5,
  updatedAt: 5,
}

function found(changes: Partial<BankReturn> = {}) {
  const one = {
    number: 'n1',
    nature: 'ORIGINAL',
    amount: 500,
    status: 'SUCCEEDED',
    at: 7,
    refusal: '-',
  } as const
  return { result: 'found', found: { ...one, ...changes } } as const
}

const failed = (refusal: string) => ({ ...PENDING, status: 'FAILED', refusal, askAt: null, updatedAt: 9 })
const refusal = (reason: 'NO_ESTABLISHMENT' | 'CARD_TOKEN_UNUSABLE') =>
  new DomainError('failed_precondition', reason, 'No.')

test.each([
  ['given back', found(), { ...PENDING, status: 'SUCCEEDED', askAt: null, updatedAt: 9 }],
  ['not given back', found({ status: 'FAILED', refusal: 'closed' }), failed('closed')],
  ['refused', { result: 'refused', code: 'X' } as const, failed('X')],
  [
    'without an account',
    { result: 'not_sent', refusal: refusal('NO_ESTABLISHMENT') } as const,
    failed('NO_ACCOUNT'),
  ],
])('%s: the refund is over', (_what, answer, after) => {
  expect(settled(PENDING, answer, 9)).toEqual(after)
})

test.each([
  ['in process', found({ status: 'PENDING' })],
  ['of another amount', found({ amount: 501 })],
  ['without an answer', { result: 'unknown' } as const],
  ['not sent', { result: 'not_sent' } as const],
  ['turned away by the vault', { result: 'not_sent', refusal: refusal('CARD_TOKEN_UNUSABLE') } as const],
])('%s: the refund stays as it is', (_what, answer) => {
  expect(settled(PENDING, answer, 9)).toBe(PENDING)
})

test('a refund that is over stays as it is, whatever comes later', () => {
  const over = settled(PENDING, found(), 9)
  expect(settled(over, { result: 'refused', code: 'X' }, 11)).toBe(over)
  const lost = settled(PENDING, { result: 'refused', code: 'X' }, 9)
  expect(settled(lost, found(), 11)).toBe(lost)
})

test('a Pix can be given back on its 90th day, and no later', () => {
  expect(canBeGivenBack({ paidAt: 0 }, 90 * DAY_MS)).toBe(true)
  expect(canBeGivenBack({ paidAt: 0 }, 90 * DAY_MS + 1)).toBe(false)
})

test('a refund that nobody can ask about is given up a week after it was asked for, and not before', () => {
  const week = PENDING.createdAt + 7 * DAY_MS
  expect(withoutAccount(PENDING, week - 1)).toBe(PENDING)
  expect(withoutAccount(PENDING, week)).toEqual({ ...failed('ACCOUNT_GONE'), updatedAt: week })
  const over = settled(PENDING, found(), 9)
  expect(withoutAccount(over, week)).toBe(over)
})
