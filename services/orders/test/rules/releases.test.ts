import type { Found, OperationOutcome } from '../../src/acquirer/acquirer'
import { requestCapture } from '../../src/charge/capture'
import type { Charge, Transaction } from '../../src/charge/charge'
import { cameToNothing, recordOutcomes, type Outcomes } from '../../src/charge/operation-outcome'
import { requestRefund } from '../../src/charge/refund'
import { dispatchDue, expire, releasesDue } from '../../src/charge/release'
import { unchanged } from '../../src/charge/transition'
import { giveUpUnsent, neverLeft, unsentDue } from '../../src/charge/unsent-part'
import { PAUSE_MS, authorizedCharge, found, pendingCharge, TERMS } from './charges'

const EXPIRY = { ...TERMS, operationId: 'expiry' }
const capturing = (...amounts: number[]) =>
  requestCapture(authorizedCharge(...amounts), undefined, { ...TERMS, operationId: 'capture' }).charge
const voiding = (...amounts: number[]) =>
  requestRefund(authorizedCharge(...amounts), { amount: undefined, reason: null }, TERMS).charge
const record = (charge: Charge, outcomes: [number, OperationOutcome][]) =>
  recordOutcomes(charge, new Map(outcomes), 1_200, PAUSE_MS)
/** Changes the transactions that a condition selects. */
const changed = (
  charge: Charge,
  is: (one: Transaction) => boolean,
  change: Partial<Transaction>,
): Charge => ({
  ...charge,
  transactions: charge.transactions.map((one) => (is(one) ? { ...one, ...change } : one)),
})

describe('an authorization that was not captured in time', () => {
  test('is given back, for each payment that is held', () => {
    const { charge } = expire(authorizedCharge(60, 40), EXPIRY)
    expect(charge).toMatchObject({ status: 'AUTHORIZED', askAt: TERMS.at })
    expect(charge.transactions.slice(2)).toMatchObject(
      [60, 40].map((amount, position) => ({
        id: 3 + position,
        position,
        type: 'VOID',
        cause: 'EXPIRY',
        status: 'PENDING',
        amount,
        operationId: 'expiry',
        dispatchDeadline: null,
        createdAt: TERMS.at,
      })),
    )
  })

  test.each<[string, () => Charge]>([
    ['is not authorized yet', () => pendingCharge(100)],
    ['has something pending', () => capturing(100)],
    ['is captured', () => record(capturing(100), [[2, { result: 'done' }]]).charge],
    ['only verified a card', () => authorizedCharge(0)],
    ['is denied', () => ({ ...authorizedCharge(60), status: 'DENIED' })],
  ])('is left alone where the charge %s', (_, make) => {
    const charge = make()
    expect(expire(charge, EXPIRY)).toEqual(unchanged(charge))
  })
})

test('is given back for the other payment when one was voided', () => {
  const half = record(voiding(60, 40), [
    [3, { result: 'done' }],
    [4, { result: 'refused', code: '1' }],
  ]).charge
  const given = expire(half, EXPIRY).charge.transactions.slice(4)
  expect(given).toMatchObject([{ position: 1, amount: 40, cause: 'EXPIRY' }])
})

describe('a void by the service itself', () => {
  const LEFT = 3_000
  const void_ = (cause: Transaction['cause'], dispatchDeadline: number | null) =>
    changed(expire(authorizedCharge(60), EXPIRY).charge, ({ type }) => type === 'VOID', {
      cause,
      dispatchDeadline,
    })
  const leaves = (charge: Charge, heard: Found | undefined, at: number) =>
    releasesDue(charge, new Map(heard ? [[0, heard]] : []), at).length === 1
  const UNKNOWN = { result: 'unknown' } as Found

  test('that never left leaves at once, an expiry only where the payment is held and not captured', () => {
    for (const heard of [undefined, UNKNOWN, found('captured', 60), found('authorized', 60)]) {
      expect(leaves(void_('RELEASE', null), heard, 1_000)).toBe(true)
    }
    expect(leaves(void_('EXPIRY', null), found('authorized', 60), 1_000)).toBe(true)
    for (const heard of [undefined, UNKNOWN, found('captured', 60), found('voided', 60)]) {
      expect(leaves(void_('EXPIRY', null), heard, 1_000)).toBe(false)
    }
  })

  test.each(['RELEASE', 'EXPIRY'] as const)(
    'that left (%s) leaves again past its deadline, if it did not happen',
    (cause) => {
      const sent = void_(cause, LEFT)
      expect(leaves(sent, found('authorized', 60), LEFT)).toBe(false)
      expect(leaves(sent, found('authorized', 60), LEFT + 1)).toBe(true)
      expect(leaves(sent, found('captured', 60), LEFT)).toBe(false)
      expect(leaves(sent, found('captured', 60), LEFT + 1)).toBe(cause === 'RELEASE')
      for (const heard of [undefined, UNKNOWN, found('voided', 60), found('declined', 60)]) {
        expect(leaves(sent, heard, LEFT + 1)).toBe(false)
      }
    },
  )

  test('excludes the voids of a seller, which do not leave from here', () => {
    expect(leaves(void_('REQUEST', null), found('authorized', 60), LEFT + 1)).toBe(false)
    expect(releasesDue(capturing(60), new Map([[0, found('authorized', 60)]]), LEFT + 1)).toEqual([])
  })

  test('is saved before it leaves, with five seconds at least, and nothing else with it', () => {
    const charge = expire(authorizedCharge(60, 40), EXPIRY).charge
    const [, , first] = charge.transactions
    const deadlines = (deadline: number) =>
      dispatchDue(charge, [first!], { ...TERMS, deadline }, PAUSE_MS).charge.transactions.map(
        ({ dispatchDeadline }) => dispatchDeadline,
      )
    expect(deadlines(2_000)).toEqual([2_000, 2_000, 6_000, null])
    expect(deadlines(7_000)).toEqual([2_000, 2_000, 7_000, null])
  })
})

describe('a part that never left', () => {
  const unsent = (charge: Charge, id: number) =>
    changed(charge, (one) => one.id === id, { dispatchDeadline: null })

  test('leaves once another part of its operation happened', () => {
    const waiting = unsent(capturing(60, 40), 4)
    expect(unsentDue(waiting)).toEqual([])
    const begun = changed(waiting, ({ id }) => id === 3, { status: 'SUCCEEDED' })
    expect(unsentDue(begun).map(({ id }) => id)).toEqual([4])
    const other = changed(begun, ({ id }) => id === 3, { operationId: 'another' })
    expect(unsentDue(other)).toEqual([])
    expect(unsentDue(changed(begun, ({ id }) => id === 4, { cause: 'EXPIRY' }))).toEqual([])
    expect(unsentDue(changed(begun, ({ id }) => id === 4, { status: 'FAILED' }))).toEqual([])
    expect(unsentDue(changed(begun, ({ id }) => id === 4, { dispatchDeadline: 1 }))).toEqual([])
    expect(unsentDue(changed(begun, ({ id }) => id === 4, { type: 'AUTHORIZATION' }))).toEqual([])
  })

  test('is given up with the whole operation, when no part of it may have happened', () => {
    const none = unsent(unsent(capturing(60, 40), 3), 4).transactions
    expect(giveUpUnsent(none)).toEqual([
      ...none.slice(0, 2),
      ...none
        .slice(2)
        .map((one) => ({ ...one, status: 'FAILED', failure: { code: 'NOT_SENT', acquirerCode: '' } })),
    ])
    const half = changed({ ...capturing(60, 40), transactions: none }, ({ id }) => id === 3, {
      status: 'FAILED',
    })
    expect(
      giveUpUnsent(half.transactions)
        .map(({ status }) => status)
        .slice(2),
    ).toEqual(['FAILED', 'FAILED'])
  })

  test.each(['SUCCEEDED', 'PENDING'] as const)('is kept while another part of it is %s', (status) => {
    const charge = changed(unsent(capturing(60, 40), 4), ({ id }) => id === 3, { status })
    expect(giveUpUnsent(charge.transactions)).toEqual(charge.transactions)
  })

  test('is never given up if it is an authorization or the service’s own', () => {
    const expiring = expire(authorizedCharge(60), EXPIRY).charge.transactions
    expect(giveUpUnsent(expiring)).toBe(expiring)
    const waiting = pendingCharge(60, 40).transactions
    expect(giveUpUnsent(waiting)).toBe(waiting)
  })

  test('never existed for its caller, unless it may have left, happened or was closed by hand', () => {
    const gone = changed(unsent(capturing(60), 2), ({ id }) => id === 2, { status: 'FAILED' })
    expect(neverLeft(gone.transactions).map(({ id }) => id)).toEqual([2])
    const resolution = { by: 'ana', reason: 'asked', at: 1 }
    for (const change of [
      { status: 'PENDING' },
      { dispatchDeadline: 1 },
      { resolution },
    ] as Partial<Transaction>[]) {
      expect(neverLeft(changed(gone, ({ id }) => id === 2, change).transactions)).toEqual([])
    }
    expect(neverLeft(changed(gone, ({ id }) => id === 2, { cause: 'RELEASE' }).transactions)).toEqual([])
    expect(neverLeft(changed(gone, ({ id }) => id === 2, { type: 'AUTHORIZATION' }).transactions)).toEqual([])
  })

  test('stays on show beside another part of its operation that may have left', () => {
    const half = changed(unsent(capturing(60, 40), 4), ({ id }) => id > 2, { status: 'FAILED' })
    expect(neverLeft(half.transactions)).toEqual([])
  })
})

describe('an answer to a capture, a refund or a void', () => {
  const statusesOf = (charge: Charge) => charge.transactions.map(({ status }) => status).slice(1)

  test.each<[OperationOutcome, string, object | null]>([
    [{ result: 'done' }, 'SUCCEEDED', null],
    [{ result: 'refused', code: '308' }, 'FAILED', { code: 'ACQUIRER_REFUSED', acquirerCode: '308' }],
    [{ result: 'unknown' }, 'PENDING', null],
    [{ result: 'gone' }, 'PENDING', null],
    [{ result: 'not_sent' } as OperationOutcome, 'FAILED', { code: 'NOT_SENT', acquirerCode: '' }],
    [{ result: 'busy' }, 'FAILED', { code: 'NOT_SENT', acquirerCode: '' }],
  ])('%j to a seller’s operation', (outcome, status, failure) => {
    const { charge } = record(capturing(100), [[2, outcome]])
    expect(charge.transactions[1]).toMatchObject({ status, failure })
  })

  test.each<[OperationOutcome, string]>([
    [{ result: 'done' }, 'SUCCEEDED'],
    [{ result: 'gone' }, 'SUCCEEDED'],
    [{ result: 'refused', code: '308' }, 'PENDING'],
    [{ result: 'busy' }, 'PENDING'],
    [{ result: 'not_sent' } as OperationOutcome, 'PENDING'],
    [{ result: 'unknown' }, 'PENDING'],
  ])('%j to an expiry: the service tries until the money is free', (outcome, status) => {
    const { charge } = record(expire(authorizedCharge(100), EXPIRY).charge, [[2, outcome]])
    expect(statusesOf(charge)).toEqual([status])
    if (status === 'PENDING') expect(charge.askAt).toBe(TERMS.at)
  })

  test('that the payment is gone proves nothing for a release', () => {
    const releasing = changed(expire(authorizedCharge(100), EXPIRY).charge, ({ type }) => type === 'VOID', {
      cause: 'RELEASE',
    })
    expect(statusesOf(record(releasing, [[2, { result: 'gone' }]]).charge)).toEqual(['PENDING'])
  })

  test('that one part was not sent while another happened: it leaves later, in five seconds if busy', () => {
    const after = (second: OperationOutcome) =>
      record(capturing(60, 40), [
        [3, { result: 'done' }],
        [4, second],
      ]).charge
    const unsent = after({ result: 'not_sent' } as OperationOutcome)
    expect(unsent.transactions[3]).toMatchObject({ status: 'PENDING', dispatchDeadline: null })
    expect(unsent.askAt).toBe(1_500)
    expect(after({ result: 'busy' }).askAt).toBe(6_200)
    const later = { ...capturing(60, 40), askAt: 9_000 }
    const both: [number, OperationOutcome][] = [
      [3, { result: 'done' }],
      [4, { result: 'busy' }],
    ]
    expect(record(later, both).charge.askAt).toBe(9_000)
    expect(record({ ...later, askAt: null }, both).charge.askAt).toBe(6_200)
  })

  test('that brings nothing new changes nothing', () => {
    const charge = capturing(100)
    expect(record(charge, [])).toEqual(unchanged(charge))
    expect(record(charge, [[2, { result: 'unknown' }]])).toEqual(unchanged(charge))
    const captured = record(charge, [[2, { result: 'done' }]]).charge
    for (const result of ['done', 'not_sent', 'gone'] as const) {
      expect(record(captured, [[2, { result } as OperationOutcome]])).toEqual(unchanged(captured))
    }
    const refused = record(charge, [[2, { result: 'refused', code: '1' }]]).charge
    for (const result of ['not_sent', 'gone', 'busy'] as const) {
      expect(record(refused, [[2, { result } as OperationOutcome]])).toEqual(unchanged(refused))
    }
    expect(record(refused, [[2, { result: 'refused', code: '2' }]])).toEqual(unchanged(refused))
  })

  test('that no part was sent means that the operation did nothing', () => {
    const of = (...results: string[]) =>
      cameToNothing(new Map(results.map((result, id) => [id, { result }])) as unknown as Outcomes)
    expect(of('not_sent', 'busy')).toBe(true)
    for (const other of ['done', 'refused', 'gone', 'unknown']) expect(of('not_sent', other)).toBe(false)
  })

  test('voids of a seller end the charge with the last of them', () => {
    const half = record(voiding(60, 40), [[3, { result: 'done' }]])
    expect(half.charge).toMatchObject({ status: 'AUTHORIZED', payments: [{ status: 'VOIDED' }, {}] })
    const { charge, events } = record(half.charge, [[4, { result: 'done' }]])
    expect([charge.status, events]).toEqual(['VOIDED', ['charge.voided']])
  })
})
