import { recordAuthorization } from '../src/charge/authorization'
import { retryWithCard } from '../src/charge/card-retry'
import { requestCapture } from '../src/charge/capture'
import type { AuthorizationOutcome, Found } from '../src/acquirer/acquirer'
import type { Charge } from '../src/charge/charge'
import { recordOutcomes } from '../src/charge/operation-outcome'
import { requestRefund } from '../src/charge/refund'
import { dispatchDue, releasesDue } from '../src/charge/release'
import { transition } from '../src/charge/transition'
import {
  PAUSE_MS,
  authorizedCharge,
  pendingCharge,
  REFERENCE as reference,
  TERMS as terms,
} from './rules/charges'

const approved: AuthorizationOutcome = { result: 'approved', captured: false, reference }

test('while other payments wait, a payment sent again with the card is not asked about before its deadline', () => {
  const outcome = { result: 'declined', code: '57', adviceCode: '', message: '', reference } as never
  const askAt = (charge: Charge) => {
    const card = charge.payments[0]!.card!
    return retryWithCard(charge, 0, outcome, { orderNumber: 'ANEW', card }, terms).charge.askAt
  }
  expect(askAt(pendingCharge(100))).toBe(terms.firstAskAt)
  expect(askAt(pendingCharge(100, 200))).toBe(terms.deadline)
})

test('only the first payment may leave when the charge is stored', () => {
  const { transactions } = pendingCharge(100, 200)
  expect(transactions.map(({ dispatchDeadline }) => dispatchDeadline)).toEqual([2_000, null])
})

test('an approval gives the turn to the next payment', () => {
  const { charge, events } = recordAuthorization(pendingCharge(100, 200), 0, approved, terms, {
    ...terms,
    deadline: 3_000,
  })
  expect(charge.transactions[1]?.dispatchDeadline).toBe(3_000)
  expect([charge.status, events]).toEqual(['PENDING', []])
})

test('an approval that arrives after the payment was given up is released', () => {
  const given = recordAuthorization(pendingCharge(100), 0, { result: 'not_sent' }, terms).charge
  expect(given).toMatchObject({ status: 'FAILED', askAt: null })
  const { charge, events } = recordAuthorization(given, 0, approved, terms)
  expect(charge).toMatchObject({ status: 'FAILED', askAt: 1_000 })
  expect(charge.transactions.at(-1)).toMatchObject({ type: 'VOID', cause: 'RELEASE', dispatchDeadline: null })
  expect(charge.payments[0]?.reference.paymentId).toBe('p')
  expect(events).toEqual([])
})

test('a void that did not happen is sent again, not sooner than 5 s after the last', () => {
  const given = recordAuthorization(pendingCharge(100), 0, { result: 'not_sent' }, terms).charge
  const { charge } = recordAuthorization(given, 0, approved, terms)
  const due = releasesDue(charge, new Map(), terms.at)
  const sent = dispatchDue(charge, due, terms, PAUSE_MS).charge
  const amounts = { amount: 100, capturedAmount: 0, voidedAmount: 0 }
  const found: Found = {
    result: 'found',
    state: 'authorized',
    code: '',
    adviceCode: '',
    reference,
    ...amounts,
  }
  const dueAt = (at: number) => releasesDue(sent, new Map([[0, found]]), at)
  expect(due).toHaveLength(1)
  expect(dueAt(terms.at + 5_000)).toEqual([])
  expect(dueAt(terms.at + 5_001)).toHaveLength(1)
})

test('a transition to a state that the charge may not reach is refused', () => {
  const voided = recordOutcomes(
    requestRefund(authorizedCharge(100), { amount: undefined, reason: null }, terms).charge,
    new Map([[2, { result: 'done' }]]),
    1_200,
    PAUSE_MS,
  ).charge
  expect(voided.status).toBe('VOIDED')
  const payments = voided.payments.map((payment) => ({ ...payment, status: 'AUTHORIZED' as const }))
  expect(() => transition(voided, { payments }, 1_300)).toThrow(
    expect.objectContaining({ reason: 'INVALID_CHARGE_STATE' }),
  )
})

test('an answer outweighs the conclusion that none would come', () => {
  const asked = requestCapture(authorizedCharge(100), undefined, terms).charge
  const concluded = recordOutcomes(
    asked,
    new Map([[2, { result: 'refused', code: '' }]]),
    1_200,
    PAUSE_MS,
  ).charge
  expect(concluded.transactions[1]?.status).toBe('FAILED')
  const late = recordOutcomes(concluded, new Map([[2, { result: 'done' }]]), 1_300, PAUSE_MS)
  expect(late.charge).toMatchObject({ status: 'CAPTURED', capturedAmount: 100 })
  expect(late.events).toEqual(['charge.captured'])
})

test('an answer recorded twice counts once', () => {
  const captured = recordOutcomes(
    requestCapture(authorizedCharge(100), undefined, terms).charge,
    new Map([[2, { result: 'done' }]]),
    1_100,
    PAUSE_MS,
  ).charge
  const asked = requestRefund(captured, { amount: 40, reason: null }, terms).charge
  const once = recordOutcomes(asked, new Map([[3, { result: 'done' }]]), 1_200, PAUSE_MS)
  const twice = recordOutcomes(once.charge, new Map([[3, { result: 'done' }]]), 1_300, PAUSE_MS)
  expect(twice.charge.refundedAmount).toBe(40)
  expect(twice.events).toEqual([])
})
