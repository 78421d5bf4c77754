import type { Found } from '../../src/acquirer/acquirer'
import { recordAuthorization } from '../../src/charge/authorization'
import type { Charge } from '../../src/charge/charge'
import { failedPayment, lookAt, withSecondLook } from '../../src/charge/second-look'
import { unchanged } from '../../src/charge/transition'
import { authorizedCharge, found, pendingCharge, REFERENCE, TERMS } from './charges'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** When the charge ended. */
const SINCE = 5_000
const ABSENT: Found = { result: 'absent' }
const DECLINED = { result: 'declined', code: '99', adviceCode: '', reference: REFERENCE } as const
const LATER = { at: SINCE, deadline: SINCE, firstAskAt: SINCE }

const failed = (...amounts: number[]): Charge =>
  withSecondLook(recordAuthorization(pendingCharge(...amounts), 0, { result: 'not_sent' }, LATER), SINCE)
    .charge
const denied = (): Charge =>
  withSecondLook(recordAuthorization(pendingCharge(100), 0, DECLINED, LATER), SINCE).charge
const look = (charge: Charge, heard: Found, at: number) => {
  const payment = failedPayment(charge)
  if (!payment) throw new Error('no payment has failed')
  return lookAt(charge, payment, heard, at)
}

test.each([failed, denied])('a charge that ended without proof is looked at again after an hour', (ended) => {
  expect(ended(100)).toMatchObject({ absentSince: SINCE, lookAgainAt: SINCE + HOUR_MS })
})

test('a charge that goes on, and a card verification, are not looked at again', () => {
  const going = unchanged(authorizedCharge(100))
  expect(withSecondLook(going, SINCE)).toBe(going)
  const verified = recordAuthorization(pendingCharge(0), 0, { result: 'not_sent' }, LATER)
  expect(verified.charge.status).toBe('FAILED')
  expect(withSecondLook(verified, SINCE)).toBe(verified)
})

test('the payment that ended a charge is the one that had left', () => {
  const turn = recordAuthorization(
    pendingCharge(60, 40),
    0,
    { result: 'approved', captured: false, reference: REFERENCE },
    TERMS,
    TERMS,
  ).charge
  const ended = recordAuthorization(turn, 1, { result: 'not_sent' }, LATER).charge
  expect(failedPayment(ended)?.position).toBe(1)
  expect(failedPayment(failed(60, 40))?.position).toBe(0)
  expect(failedPayment(authorizedCharge(60))).toBeUndefined()
  const neverLeft = {
    ...failed(60),
    transactions: [{ ...failed(60).transactions[0]!, dispatchDeadline: null }],
  }
  expect(failedPayment(neverLeft)).toBeUndefined()
})

describe('asked again, an acquirer', () => {
  test.each([
    ['knows no sale', ABSENT],
    ['says that it was declined', found('declined', 100)],
    ['says that it was voided', found('voided', 100)],
  ])('that %s confirms the end: one more look after a day, then none', (_, heard) => {
    const ended = failed(100)
    const after = (at: number) => look(ended, heard, at)
    expect(after(SINCE + HOUR_MS - 1)).toEqual({
      decision: unchangedBut(ended, SINCE + HOUR_MS),
      verdict: 'holds',
    })
    expect(after(SINCE + HOUR_MS).decision).toEqual(unchangedBut(ended, SINCE + DAY_MS))
    expect(after(SINCE + DAY_MS - 1).decision).toEqual(unchangedBut(ended, SINCE + DAY_MS))
    expect(after(SINCE + DAY_MS)).toEqual({ decision: unchangedBut(ended, null), verdict: 'holds' })
  })

  test('a look at a charge without a saved time counts from that moment', () => {
    const ended = { ...failed(100), absentSince: null }
    expect(look(ended, ABSENT, SINCE).decision?.charge.lookAgainAt).toBe(SINCE + HOUR_MS)
  })

  test.each([
    ['several sales', { result: 'several' } as Found],
    ['a sale of another amount', found('authorized', 99)],
    ['a captured sale of another amount', found('captured', 99)],
  ])('that has %s leaves the charge unexplained', (_, heard) => {
    const ended = failed(100)
    expect(look(ended, heard, SINCE + HOUR_MS)).toEqual({
      decision: unchangedBut(ended, SINCE + DAY_MS),
      verdict: 'unexplained',
    })
  })

  test.each([
    ['authorized', failed],
    ['captured', failed],
    ['authorized', denied],
  ] as const)('that has the sale %s after all: the money is given back', (state, ended) => {
    const at = SINCE + HOUR_MS
    const { decision, verdict } = look(ended(100), found(state, 100), at)
    expect(verdict).toBe('late')
    expect(decision?.charge).toMatchObject({ status: ended(100).status, askAt: at, lookAgainAt: null })
    expect(decision?.charge.payments[0]?.reference).toEqual(REFERENCE)
    expect(decision?.charge.transactions.slice(1)).toMatchObject([
      { type: 'VOID', cause: 'RELEASE', status: 'PENDING', amount: 100, dispatchDeadline: null },
    ])
    expect(decision?.events).toEqual([])
    // Found again during the refund: nothing more is done.
    expect(look(decision!.charge, found(state, 100), at)).toMatchObject({ verdict: 'holds' })
  })

  test('that has the second sale after all has it given back, while the first is being given back', () => {
    const approved = { result: 'approved', captured: false, reference: REFERENCE } as const
    const first = recordAuthorization(pendingCharge(60, 40), 0, approved, TERMS, TERMS).charge
    const ended = withSecondLook(recordAuthorization(first, 1, { result: 'not_sent' }, LATER), SINCE).charge
    const voids = (of: Charge | undefined) =>
      of?.transactions.slice(2).map(({ position, amount }) => [position, amount])
    expect(voids(ended)).toEqual([[0, 60]])
    const { decision, verdict } = look(ended, found('authorized', 40), SINCE + HOUR_MS)
    expect([verdict, voids(decision?.charge)]).toEqual([
      'late',
      [
        [0, 60],
        [1, 40],
      ],
    ])
  })

  test.each([
    ['does not answer', { result: 'unknown' } as Found],
    ['has not decided', found('undecided', 100)],
    ['is not sure', found('unsure', 100)],
  ])('that %s is soon asked again, for seven days', (_, heard) => {
    const ended = failed(100)
    const unclear = { decision: undefined, verdict: 'unclear' }
    expect(look(ended, heard, SINCE + 7 * DAY_MS - 1)).toEqual(unclear)
    expect(look(ended, heard, SINCE + 7 * DAY_MS)).toEqual({
      decision: unchangedBut(ended, null),
      verdict: 'unclear',
    })
  })

  test('that repeats the unsure decline of a denied charge says nothing new', () => {
    const ended = denied()
    expect(look(ended, found('unsure', 100), SINCE + HOUR_MS)).toEqual({
      decision: unchangedBut(ended, SINCE + DAY_MS),
      verdict: 'holds',
    })
    expect(look(ended, found('undecided', 100), SINCE + HOUR_MS).verdict).toBe('unclear')
  })
})

function unchangedBut(charge: Charge, lookAgainAt: number | null) {
  const decision = unchanged(charge)
  return { ...decision, charge: { ...decision.charge, lookAgainAt } }
}
