import type { AuthorizationOutcome } from '../../src/acquirer/acquirer'
import {
  newCharge,
  NO_REFERENCE,
  recordAuthorization,
  turnOf,
  untriedOf,
} from '../../src/charge/authorization'
import type { Charge } from '../../src/charge/charge'
import { unchanged } from '../../src/charge/transition'
import { authorizedCharge, pendingCharge, REFERENCE, TERMS } from './charges'

const AT = { at: 1_200, deadline: 1_900, firstAskAt: 1_400 }
const NEXT = { operationId: 'next', at: 1_200, deadline: 3_000, firstAskAt: 2_500 }
const approved = (captured = false): AuthorizationOutcome => ({
  result: 'approved',
  captured,
  reference: REFERENCE,
})
const DECLINED: AuthorizationOutcome = {
  result: 'declined',
  code: '51',
  adviceCode: '24',
  reference: REFERENCE,
}
const REFUSED: AuthorizationOutcome = { result: 'refused', code: '126' }
const NOT_SENT = { result: 'not_sent' } as AuthorizationOutcome
const direct = (...amounts: number[]): Charge => ({ ...pendingCharge(...amounts), direct: true })
const endsOf = (charge: Charge) =>
  charge.transactions.map(({ status, failure }) => [status, failure?.code ?? null])

test('a new charge has its payments and their authorizations, and the first may leave', () => {
  const charge = pendingCharge(60, 40)
  expect(charge).toMatchObject({
    id: 0,
    establishmentId: 0,
    status: 'PENDING',
    direct: false,
    amount: 100,
    authorizedAmount: 0,
    capturedAmount: 0,
    refundedAmount: 0,
    refundReserved: 0,
    version: 1,
    sequence: 0,
    absentSince: null,
    lookAgainAt: null,
    createdAt: 1_000,
    updatedAt: 1_000,
  })
  expect(charge.payments).toMatchObject(
    [60, 40].map((amount, position) => ({
      position,
      amount,
      orderNumber: `N${position}`,
      status: 'PENDING',
      capturedAmount: 0,
      refundedAmount: 0,
      reference: NO_REFERENCE,
      decline: null,
      deniedAt: null,
    })),
  )
  expect(charge.payments[0]?.reference).toEqual(NO_REFERENCE)
  expect(charge.transactions).toEqual(
    [60, 40].map((amount, position) => ({
      id: position + 1,
      position,
      type: 'AUTHORIZATION',
      status: 'PENDING',
      cause: 'REQUEST',
      amount,
      operationId: 'operation',
      dispatchDeadline: position === 0 ? 2_000 : null,
      reason: null,
      attempt: null,
      endToEndId: null,
      resolution: null,
      failure: null,
      createdAt: 1_000,
    })),
  )
})

test('the acquirer is asked soon about one payment, and about several when the first can no longer leave', () => {
  expect(pendingCharge(100).askAt).toBe(1_500)
  expect(pendingCharge(60, 40).askAt).toBe(2_000)
  expect(newCharge({ ...pendingCharge(100), payments: [] }, TERMS).transactions).toEqual([])
})

test('the turn of a payment holds its last authorization, which counts', () => {
  const charge = pendingCharge(60, 40)
  expect(turnOf(charge, 1)).toEqual({ payment: charge.payments[1], authorization: charge.transactions[1] })
  const [first] = charge.transactions
  const again = { ...charge, transactions: [...charge.transactions, { ...first!, id: 3 }] }
  expect(turnOf(again, 0).authorization.id).toBe(3)
  const captured = {
    ...charge,
    transactions: [...charge.transactions, { ...first!, id: 3, type: 'CAPTURE' as const }],
  }
  expect(turnOf(captured, 0).authorization.id).toBe(1)
  const without = 'a payment without its authorization'
  expect(() => turnOf(charge, 2)).toThrow(without)
  expect(() => turnOf({ ...charge, transactions: [first!] }, 1)).toThrow(without)
  expect(untriedOf(charge).map(({ id }) => id)).toEqual([2])
  expect(untriedOf(authorizedCharge(60, 40))).toEqual([])
  const void_ = { ...first!, type: 'VOID' as const, dispatchDeadline: null }
  expect(
    untriedOf({ ...charge, transactions: [void_, { ...first!, status: 'FAILED', dispatchDeadline: null }] }),
  ).toEqual([])
})

describe('an approval', () => {
  test('of the only payment authorizes the charge, with its reference', () => {
    const { charge, events } = recordAuthorization(pendingCharge(100), 0, approved(), AT)
    expect(charge).toMatchObject({
      status: 'AUTHORIZED',
      authorizedAmount: 100,
      capturedAmount: 0,
      askAt: null,
    })
    expect(charge).toMatchObject({ version: 2, sequence: 1, updatedAt: 1_200 })
    expect(charge.payments[0]).toMatchObject({ status: 'AUTHORIZED', reference: REFERENCE })
    expect(endsOf(charge)).toEqual([['SUCCEEDED', null]])
    expect(events).toEqual(['charge.authorized'])
  })

  test('gives the turn to the next payment; the acquirer is asked soon once the last has it', () => {
    const two = recordAuthorization(pendingCharge(60, 40), 0, approved(), AT, NEXT).charge
    expect(two).toMatchObject({ status: 'PENDING', askAt: 2_500, authorizedAmount: 0 })
    expect(two.transactions.map(({ dispatchDeadline }) => dispatchDeadline)).toEqual([2_000, 3_000])
    const three = recordAuthorization(pendingCharge(50, 30, 20), 0, approved(), AT, NEXT).charge
    expect(three.askAt).toBe(3_000)
    expect(three.transactions.map(({ dispatchDeadline }) => dispatchDeadline)).toEqual([2_000, 3_000, null])
  })

  test('without a turn for the next payment gives up the rest, and gives back its own money', () => {
    const { charge, events } = recordAuthorization(pendingCharge(60, 40), 0, approved(), AT)
    expect(charge).toMatchObject({
      status: 'FAILED',
      askAt: 1_200,
      payments: [{ status: 'AUTHORIZED' }, { status: 'FAILED' }],
    })
    expect(endsOf(charge)).toEqual([
      ['SUCCEEDED', null],
      ['FAILED', 'NOT_TRIED'],
      ['PENDING', null],
    ])
    expect(charge.transactions[2]).toMatchObject({
      type: 'VOID',
      cause: 'RELEASE',
      amount: 60,
      operationId: 'operation',
    })
    expect(events).toEqual(['charge.failed'])
  })

  test('of a direct charge captures it, in two transactions of one call', () => {
    const { charge, events } = recordAuthorization(direct(100), 0, approved(true), AT)
    expect(charge).toMatchObject({
      status: 'CAPTURED',
      authorizedAmount: 100,
      capturedAmount: 100,
      askAt: null,
    })
    expect(charge.transactions[1]).toMatchObject({
      id: 2,
      type: 'CAPTURE',
      status: 'SUCCEEDED',
      amount: 100,
      operationId: 'operation',
      dispatchDeadline: 1_900,
      createdAt: 1_200,
    })
    expect(events).toEqual(['charge.captured'])
  })

  test('of a direct charge that was not captured leaves it authorized, and shows that the capture was not done', () => {
    const { charge, events } = recordAuthorization(direct(100), 0, approved(false), AT)
    expect(charge).toMatchObject({ status: 'AUTHORIZED', capturedAmount: 0 })
    expect(endsOf(charge)).toEqual([
      ['SUCCEEDED', null],
      ['FAILED', 'NOT_DONE'],
    ])
    expect(events).toEqual(['charge.authorized'])
    // A card verification has nothing to capture.
    expect(endsOf(recordAuthorization(direct(0), 0, approved(false), AT).charge)[1]).toEqual([
      'SUCCEEDED',
      null,
    ])
  })
})

describe('no approval', () => {
  test('as a decline denies the payment and the charge, and shows why', () => {
    const { charge, events } = recordAuthorization(pendingCharge(100), 0, DECLINED, AT)
    expect(charge).toMatchObject({ status: 'DENIED', authorizedAmount: 0, askAt: null })
    expect(charge.payments[0]).toMatchObject({
      status: 'DENIED',
      deniedAt: 1_200,
      reference: REFERENCE,
      decline: {
        code: 'INSUFFICIENT_FUNDS',
        acquirerCode: '51',
        adviceCode: '24',
        retryable: true,
        advice: 'TRY_LATER',
      },
    })
    expect(charge.transactions[0]).toMatchObject({
      status: 'FAILED',
      failure: { code: 'DECLINED', acquirerCode: '51' },
    })
    expect(events).toEqual(['charge.denied'])
  })

  test.each([
    [REFUSED, { code: 'ACQUIRER_REFUSED', acquirerCode: '126' }],
    [NOT_SENT, { code: 'NOT_SENT', acquirerCode: '' }],
  ])('%j fails the charge', (outcome, failure) => {
    const { charge, events } = recordAuthorization(pendingCharge(100), 0, outcome, AT)
    expect(charge.status).toBe('FAILED')
    expect(charge.payments[0]).toMatchObject({
      status: 'FAILED',
      decline: null,
      deniedAt: null,
      reference: NO_REFERENCE,
    })
    expect(charge.transactions[0]).toMatchObject({ status: 'FAILED', failure })
    expect(events).toEqual(['charge.failed'])
  })

  test('of one payment gives up the payments after it, and gives back those before it', () => {
    const turn = recordAuthorization(pendingCharge(50, 30, 20), 0, approved(), AT, NEXT).charge
    const { charge } = recordAuthorization(turn, 1, DECLINED, AT, NEXT)
    expect(charge.payments.map(({ status }) => status)).toEqual(['AUTHORIZED', 'DENIED', 'FAILED'])
    expect(endsOf(charge)).toEqual([
      ['SUCCEEDED', null],
      ['FAILED', 'DECLINED'],
      ['FAILED', 'NOT_TRIED'],
      ['PENDING', null],
    ])
    expect(charge).toMatchObject({ status: 'DENIED', askAt: 1_200 })
  })

  test('with an unknown outcome leaves the charge pending, asked about soon, and sends charge.pending', () => {
    const { charge, events } = recordAuthorization(pendingCharge(100), 0, { result: 'unknown' }, AT)
    expect(charge).toMatchObject({ status: 'PENDING', askAt: 1_400, sequence: 1 })
    expect(charge.transactions).toEqual(pendingCharge(100).transactions)
    expect(events).toEqual(['charge.pending'])
    const sooner = { ...pendingCharge(100), askAt: 1_300 }
    expect(recordAuthorization(sooner, 0, { result: 'unknown' }, AT).charge.askAt).toBe(1_300)
  })
})

describe('an answer that comes after the payment was given up', () => {
  const ended = (outcome: AuthorizationOutcome, ...amounts: number[]) =>
    recordAuthorization(pendingCharge(...amounts), 0, outcome, AT).charge
  const LATE = { at: 5_000, deadline: 5_000, firstAskAt: 5_000 }

  test.each([NOT_SENT, DECLINED])('and approves it after all: the money is given back (%j)', (outcome) => {
    const before = ended(outcome, 100)
    const { charge, events } = recordAuthorization(before, 0, approved(), LATE)
    expect(charge).toMatchObject({ status: before.status, askAt: 5_000 })
    expect(charge.payments[0]).toEqual({ ...before.payments[0], reference: REFERENCE })
    expect(charge.transactions[1]).toMatchObject({
      id: 2,
      type: 'VOID',
      cause: 'RELEASE',
      status: 'PENDING',
      amount: 100,
      operationId: 'operation',
      dispatchDeadline: null,
      createdAt: 5_000,
    })
    expect(events).toEqual([])
  })

  test('and is no approval, or is for a card verification or a held payment, changes nothing', () => {
    const failed = ended(NOT_SENT, 100)
    for (const outcome of [DECLINED, REFUSED, NOT_SENT, { result: 'unknown' } as AuthorizationOutcome]) {
      expect(recordAuthorization(failed, 0, outcome, LATE)).toEqual(unchanged(failed))
    }
    const verified = ended(NOT_SENT, 0)
    expect(recordAuthorization(verified, 0, approved(), LATE)).toEqual(unchanged(verified))
    const held = authorizedCharge(100)
    expect(recordAuthorization(held, 0, approved(), LATE)).toEqual(unchanged(held))
  })
})
