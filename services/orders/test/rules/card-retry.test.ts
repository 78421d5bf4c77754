import type { AuthorizationOutcome } from '../../src/acquirer/acquirer'
import { NO_REFERENCE, recordAuthorization } from '../../src/charge/authorization'
import { isOfToken, retryWithCard, type Declined } from '../../src/charge/card-retry'
import type { Charge } from '../../src/charge/charge'
import { unchanged } from '../../src/charge/transition'
import { pendingCharge, REFERENCE, TERMS } from './charges'

const declined = (code: string, adviceCode = ''): Declined => ({
  result: 'declined',
  code,
  adviceCode,
  reference: REFERENCE,
})

const again = ({ payments }: Charge) => ({ orderNumber: 'ANEW', card: payments[0]!.card! })

test.each([
  ['57', '', true],
  ['057', '', true],
  [' 57 ', '', true],
  ['51', '04', true],
  ['51', ' 4 ', true],
  ['51', '', false],
  ['157', '', false],
  ['570', '', false],
  ['51', '14', false],
  ['51', '40', false],
])('a decline %s with advice "%s" is about the network token: %s', (code, advice, isIt) => {
  expect(isOfToken(declined(code, advice))).toBe(isIt)
})

test.each<AuthorizationOutcome>([
  { result: 'approved', captured: false, reference: REFERENCE },
  { result: 'refused', code: '57' },
  { result: 'unknown' },
])('no other outcome is about it ($result)', (outcome) => expect(isOfToken(outcome)).toBe(false))

test('the payment is sent again with the card, under another order number; the first try stays on show', () => {
  const pending = pendingCharge(100)
  const [payment] = pending.payments
  const withToken = {
    ...pending,
    payments: [
      { ...payment!, card: { ...payment!.card!, source: 'NETWORK_TOKEN' as const }, reference: REFERENCE },
    ],
  }
  const terms = { ...TERMS, operationId: 'again', at: 1_300, deadline: 2_300, firstAskAt: 1_800 }
  const { charge, events } = retryWithCard(
    withToken,
    0,
    declined('57'),
    { orderNumber: 'ANEW', card: payment!.card! },
    terms,
  )
  expect(charge).toMatchObject({ status: 'PENDING', askAt: 1_800, version: 2, updatedAt: 1_300 })
  expect(charge.payments).toEqual([
    { ...withToken.payments[0], card: payment!.card, orderNumber: 'ANEW', reference: NO_REFERENCE },
  ])
  const [first, second] = charge.transactions
  expect(charge.transactions).toHaveLength(2)
  expect(first).toEqual({
    ...pending.transactions[0],
    status: 'FAILED',
    failure: { code: 'DECLINED', acquirerCode: '57' },
    attempt: { orderNumber: 'N0', source: 'NETWORK_TOKEN', returnCode: '4' },
  })
  expect(second).toEqual({
    ...pending.transactions[0],
    id: 2,
    operationId: 'again',
    dispatchDeadline: 2_300,
    createdAt: 1_300,
  })
  expect(events).toEqual([])
})

test('only its own transaction becomes a failed try', () => {
  const { charge } = retryWithCard(
    pendingCharge(60, 40),
    0,
    declined('57'),
    again(pendingCharge(60, 40)),
    TERMS,
  )
  expect(charge.transactions.map(({ status, position }) => [status, position])).toEqual([
    ['FAILED', 0],
    ['PENDING', 1],
    ['PENDING', 0],
  ])
  expect(charge.transactions[1]?.attempt).toBeNull()
  expect(charge.payments.map(({ orderNumber }) => orderNumber)).toEqual(['ANEW', 'N1'])
})

test('a charge that has ended meanwhile is left alone', () => {
  const ended = recordAuthorization(pendingCharge(100), 0, declined('57'), TERMS).charge
  expect(retryWithCard(ended, 0, declined('57'), again(ended), TERMS)).toEqual(unchanged(ended))
})
