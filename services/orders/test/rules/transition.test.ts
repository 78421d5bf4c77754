import type { Charge, ChargeStatus, Payment } from '../../src/charge/charge'
import { askBy, fail, succeed, withDeadline, withPayment } from '../../src/charge/transaction'
import { withEvent, transition, unchanged } from '../../src/charge/transition'
import { failure } from '../../src/charge/failure'
import { authorizedCharge, pendingCharge } from './charges'

/** The fields that put a charge of 100 into each state. */
const AS: Record<ChargeStatus, Partial<Payment>> = {
  PENDING: { status: 'PENDING' },
  AUTHORIZED: { status: 'AUTHORIZED' },
  DENIED: { status: 'DENIED' },
  FAILED: { status: 'FAILED' },
  PARTIALLY_CAPTURED: { status: 'CAPTURED', capturedAmount: 40 },
  CAPTURED: { status: 'CAPTURED', capturedAmount: 100 },
  VOIDED: { status: 'VOIDED' },
  EXPIRED: { status: 'EXPIRED' },
  PARTIALLY_REFUNDED: { status: 'CAPTURED', capturedAmount: 100, refundedAmount: 40 },
  REFUNDED: { status: 'CAPTURED', capturedAmount: 100, refundedAmount: 100 },
}
const STATUSES = Object.keys(AS) as ChargeStatus[]
const ALLOWED: Record<string, string> = {
  'PENDING AUTHORIZED': 'charge.authorized',
  'PENDING CAPTURED': 'charge.captured',
  'PENDING DENIED': 'charge.denied',
  'PENDING FAILED': 'charge.failed',
  'PENDING EXPIRED': 'charge.expired',
  'AUTHORIZED PARTIALLY_CAPTURED': 'charge.captured',
  'AUTHORIZED CAPTURED': 'charge.captured',
  'AUTHORIZED VOIDED': 'charge.voided',
  'AUTHORIZED EXPIRED': 'charge.expired',
  'PARTIALLY_CAPTURED PARTIALLY_REFUNDED': 'charge.refunded',
  'PARTIALLY_CAPTURED REFUNDED': 'charge.refunded',
  'CAPTURED PARTIALLY_REFUNDED': 'charge.refunded',
  'CAPTURED REFUNDED': 'charge.refunded',
  'PARTIALLY_REFUNDED REFUNDED': 'charge.refunded',
}

const inState = (status: ChargeStatus): Charge => ({
  ...withPayment(pendingCharge(100), 0, AS[status]),
  status,
  authorizedAmount: status === 'PENDING' ? 0 : 100,
})
const move = (from: ChargeStatus, to: ChargeStatus) => {
  const before = inState(from)
  const ended = { status: 'SUCCEEDED' as const }
  return transition(
    before,
    {
      payments: withPayment(before, 0, { capturedAmount: 0, refundedAmount: 0, ...AS[to] }).payments,
      transactions: before.transactions.map((one) => ({ ...one, ...ended })),
    },
    1_200,
  )
}

test.each(STATUSES.flatMap((from) => STATUSES.filter((to) => to !== from).map((to) => [from, to] as const)))(
  'from %s to %s: only where the table allows it, with its event',
  (from, to) => {
    const event = ALLOWED[`${from} ${to}`]
    if (event === undefined) {
      expect(() => move(from, to)).toThrow(
        expect.objectContaining({ reason: 'INVALID_CHARGE_STATE', message: `The charge is ${from}.` }),
      )
      return
    }
    const { charge, events } = move(from, to)
    expect(charge).toMatchObject({ status: to, sequence: 1, version: 2, updatedAt: 1_200, askAt: null })
    const holdsNothing = to === 'DENIED' || to === 'FAILED' || (from === 'PENDING' && to === 'EXPIRED')
    expect(charge.authorizedAmount).toBe(holdsNothing ? 0 : 100)
    expect(charge).toMatchObject({
      capturedAmount: AS[to].capturedAmount ?? 0,
      refundedAmount: AS[to].refundedAmount ?? 0,
    })
    expect(events).toEqual([event])
  },
)

test('a further partial refund sends an event, though the state stays the same', () => {
  const before = { ...inState('PARTIALLY_REFUNDED'), refundedAmount: 40 }
  const more = transition(
    before,
    { payments: withPayment(before, 0, { refundedAmount: 70 }).payments },
    1_200,
  )
  expect([more.charge.status, more.charge.refundedAmount, more.events]).toEqual([
    'PARTIALLY_REFUNDED',
    70,
    ['charge.refunded'],
  ])
  expect(transition(before, { metadata: { cart: 1 } }, 1_200).events).toEqual([])
})

test.each<[ChargeStatus[], ChargeStatus]>([
  [['AUTHORIZED', 'DENIED'], 'DENIED'],
  [['FAILED', 'DENIED'], 'DENIED'],
  [['PENDING', 'FAILED'], 'FAILED'],
  [['AUTHORIZED', 'PENDING'], 'PENDING'],
])('a pending charge whose payments are %j is %s', (statuses, status) => {
  const before = pendingCharge(60, 40)
  const payments = before.payments.map((payment, at) => ({ ...payment, status: statuses[at]! }))
  expect(transition(before, { payments }, 1_200).charge.status).toBe(status)
})

test.each<[ChargeStatus[], ChargeStatus]>([
  [['VOIDED', 'AUTHORIZED'], 'AUTHORIZED'],
  [['EXPIRED', 'AUTHORIZED'], 'AUTHORIZED'],
  [['EXPIRED', 'VOIDED'], 'EXPIRED'],
  [['VOIDED', 'EXPIRED'], 'EXPIRED'],
  [['VOIDED', 'VOIDED'], 'VOIDED'],
])('an authorized charge whose payments are %j is %s', (statuses, status) => {
  const before = authorizedCharge(60, 40)
  const payments = before.payments.map((payment, at) => ({ ...payment, status: statuses[at]! }))
  expect(transition(before, { payments }, 1_200).charge.status).toBe(status)
})

test('a charge is captured when the last of its captures is known', () => {
  const before = authorizedCharge(60, 40)
  const payments = withPayment(before, 0, { status: 'CAPTURED', capturedAmount: 60 }).payments
  const capture = (status: 'PENDING' | 'FAILED') => [
    ...before.transactions,
    { ...before.transactions[1]!, id: 3, type: 'CAPTURE' as const, status },
  ]
  expect(transition(before, { payments, transactions: capture('PENDING') }, 1_200).charge).toMatchObject({
    status: 'AUTHORIZED',
    capturedAmount: 60,
    askAt: 1_200,
  })
  const { charge } = transition(before, { payments, transactions: capture('FAILED') }, 1_200)
  expect(charge.status).toBe('PARTIALLY_CAPTURED')
  expect(charge.transactions[3]).toMatchObject({
    id: 4,
    type: 'VOID',
    cause: 'RELEASE',
    position: 1,
    amount: 40,
  })
  // A payment that is being voided already, or holds nothing, is not given back again.
  const voiding = [
    ...capture('FAILED'),
    { ...before.transactions[1]!, id: 4, type: 'VOID' as const, status: 'PENDING' as const },
  ]
  expect(transition(before, { payments, transactions: voiding }, 1_200).charge.transactions).toHaveLength(4)
  const nothing = payments.map((payment) => (payment.position === 1 ? { ...payment, amount: 0 } : payment))
  expect(
    transition(before, { payments: nothing, transactions: capture('FAILED') }, 1_200).charge.transactions,
  ).toHaveLength(3)
})

test('each payment shows its captured and refunded amounts', () => {
  const before = authorizedCharge(60, 40)
  const shown = (change: Partial<Payment>) =>
    transition(before, { payments: withPayment(before, 0, change).payments }, 1_200).charge.payments[0]
      ?.status
  expect(shown({ status: 'CAPTURED', capturedAmount: 60 })).toBe('CAPTURED')
  expect(shown({ status: 'CAPTURED', capturedAmount: 59 })).toBe('PARTIALLY_CAPTURED')
  const after = (refundedAmount: number) =>
    transition(
      { ...before, status: 'CAPTURED' },
      { payments: withPayment(before, 0, { capturedAmount: 60, refundedAmount }).payments },
      1_200,
    ).charge.payments[0]?.status
  expect(after(59)).toBe('PARTIALLY_REFUNDED')
  expect(after(60)).toBe('REFUNDED')
})

test('refunds that did not fail are reserved, and nothing else', () => {
  const before = authorizedCharge(100)
  const [one] = before.transactions
  const transactions = (['PENDING', 'SUCCEEDED', 'FAILED'] as const).map((status, at) => ({
    ...one!,
    id: 2 + at,
    type: 'REFUND' as const,
    status,
    amount: 10 ** at,
  }))
  expect(transition(before, { transactions: [one!, ...transactions] }, 1_200).charge.refundReserved).toBe(11)
})

test('while something is pending the acquirer is asked at the set time, else at once; then never', () => {
  const pending = { ...authorizedCharge(100), transactions: pendingCharge(100).transactions }
  expect(transition(pending, { askAt: 7_000 }, 1_200).charge.askAt).toBe(7_000)
  expect(transition({ ...pending, askAt: null }, {}, 1_200).charge.askAt).toBe(1_200)
  expect(transition(authorizedCharge(100), { askAt: 7_000 }, 1_200).charge.askAt).toBeNull()
})

test('a decision without changes counts, and each event is counted without gaps', () => {
  const charge = authorizedCharge(100)
  const decision = unchanged(charge)
  expect(decision).toEqual({
    before: charge,
    charge: { ...charge, version: charge.version + 1 },
    events: [],
    marks: { answered: [], freed: [] },
  })
  expect(withEvent(decision, undefined)).toBe(decision)
  const twice = withEvent(withEvent(decision, 'charge.pending'), 'charge.failed')
  expect(twice.events).toEqual(['charge.pending', 'charge.failed'])
  expect(twice.charge.sequence).toBe(charge.sequence + 2)
})

describe('one transaction of a charge', () => {
  const charge = pendingCharge(60, 40)
  const like = (type: 'CAPTURE' | 'REFUND' | 'VOID', change: object = {}): Charge => ({
    ...authorizedCharge(60, 40),
    transactions: [{ ...charge.transactions[0]!, type, amount: 25, ...change }],
  })

  test('that succeeded changes only its own payment', () => {
    const after = succeed(charge, 1)
    expect(after.payments.map(({ status }) => status)).toEqual(['AUTHORIZED', 'PENDING'])
    expect(after.transactions.map(({ status }) => status)).toEqual(['SUCCEEDED', 'PENDING'])
    expect(succeed(like('CAPTURE'), 1).payments[0]).toMatchObject({ status: 'CAPTURED', capturedAmount: 25 })
    expect(succeed(succeed(like('REFUND'), 1), 1).payments[0]).toMatchObject({
      status: 'AUTHORIZED',
      refundedAmount: 50,
    })
    expect(succeed(like('VOID'), 1).payments[0]?.status).toBe('VOIDED')
    expect(succeed(like('VOID', { cause: 'RELEASE' }), 1).payments[0]?.status).toBe('VOIDED')
    expect(succeed(like('VOID', { cause: 'EXPIRY' }), 1).payments[0]?.status).toBe('EXPIRED')
    const denied = withPayment(like('VOID'), 0, { status: 'DENIED' })
    expect(succeed(denied, 1).payments[0]?.status).toBe('DENIED')
    expect(() => succeed(charge, 3)).toThrow('no such transaction')
  })

  test('that failed shows why, until it succeeds after all', () => {
    const after = fail(charge, 2, failure('NOT_DONE', '9'))
    expect(after.transactions[0]).toBe(charge.transactions[0])
    expect(after.transactions[1]).toEqual({
      ...charge.transactions[1],
      status: 'FAILED',
      failure: { code: 'NOT_DONE', acquirerCode: '9' },
    })
    expect(after.payments).toEqual(charge.payments)
    expect(succeed(after, 2).transactions[1]).toMatchObject({ status: 'SUCCEEDED', failure: null })
  })

  test('may get another deadline', () => {
    expect(withDeadline(charge, 2, 9).transactions.map(({ dispatchDeadline }) => dispatchDeadline)).toEqual([
      2_000, 9,
    ])
  })

  test('is asked about at the earlier of two times', () => {
    expect(askBy({ ...charge, askAt: 5 }, 6)).toBe(5)
    expect(askBy({ ...charge, askAt: 7 }, 6)).toBe(6)
    expect(askBy({ ...charge, askAt: null }, 6)).toBe(6)
  })
})
