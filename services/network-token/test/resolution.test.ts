import type { NetworkToken } from '../src/token/network-token'
import {
  adopt,
  cleaned,
  dispatch,
  endGone,
  isGone,
  isOverdue,
  recordClose,
  recordRequest,
  timeOut,
} from '../src/token/resolution'
import type { Found } from '../src/token-service/token-service'
import { TIMES, TOKEN } from './support/pending-token'

const AT = TIMES.at
/** The decision of a change without an event. */
const saved = (token: NetworkToken, change: Partial<NetworkToken>) => ({
  before: token,
  token: { ...token, ...change, version: token.version + 1 },
  event: undefined,
})
/** The decision of a change of state, with its event. */
const told = (token: NetworkToken, event: string, change: Partial<NetworkToken>) => ({
  before: token,
  token: {
    ...token,
    ...change,
    version: token.version + 1,
    sequence: token.sequence + 1,
    updatedAt: AT,
  },
  event,
})

describe('the request', () => {
  const asked: NetworkToken = { ...TOKEN, partnerId: null }

  test('is saved with the deadline for it to leave', () => {
    const unasked = { ...asked, dispatchDeadline: null }
    expect(dispatch(unasked, 9_000, AT)).toEqual(saved(unasked, { dispatchDeadline: 9_000 }))
  })

  test.each([true, false])('that is accepted is asked about soon (first request: %s)', (isFirst) => {
    expect(recordRequest(asked, { result: 'accepted', partnerId: 'its' }, TIMES, isFirst)).toEqual(
      saved(asked, { partnerId: 'its', askAt: 5_100 }),
    )
  })

  test('that is refused fails the token, and its numbers are destroyed', () => {
    expect(recordRequest(asked, { result: 'refused', reason: 'CARD_NOT_ELIGIBLE' }, TIMES, true)).toEqual(
      told(asked, 'network_token.failed', {
        status: 'FAILED',
        reason: 'CARD_NOT_ELIGIBLE',
        cleanup: 'NUMBERS',
        askAt: AT,
      }),
    )
  })

  test('that did not leave may leave again, and only the first one soon', () => {
    const outcome = { result: 'not_sent', gone: false } as const
    expect(recordRequest(asked, outcome, TIMES, true)).toEqual(
      saved(asked, { dispatchDeadline: null, askAt: 5_100 }),
    )
    expect(recordRequest(asked, outcome, TIMES, false)).toEqual(saved(asked, { dispatchDeadline: null }))
  })

  test('that may have arrived does not leave again; after the first one, the token is looked for soon', () => {
    expect(recordRequest(asked, { result: 'unknown' }, TIMES, true)).toEqual(saved(asked, { askAt: 5_100 }))
    expect(recordRequest(asked, { result: 'unknown' }, TIMES, false)).toEqual(saved(asked, {}))
  })

  test.each<[string, Partial<NetworkToken>]>([
    ['the token has ended', { status: 'FAILED', reason: 'TIMEOUT' }],
    ['an answer was found before', { partnerId: 'p' }],
  ])('changes nothing once %s', (_when, change) => {
    const late = { ...asked, ...change }
    expect(recordRequest(late, { result: 'accepted', partnerId: 'its' }, TIMES, false)).toBeUndefined()
    expect(recordRequest(late, { result: 'refused', reason: 'CARD_EXPIRED' }, TIMES, false)).toBeUndefined()
  })
})

describe('a token that waits too long', () => {
  test('may stay pending for fifteen minutes after it was made', () => {
    const later = { ...TOKEN, createdAt: 1_000 }
    expect(isOverdue(later, { ...TIMES, at: 900_999 })).toBe(false)
    expect(isOverdue(later, { ...TIMES, at: 901_000 })).toBe(true)
    expect(isOverdue({ ...later, status: 'ACTIVE' }, { ...TIMES, at: 901_000 })).toBe(false)
  })

  test.each([
    [null, 'NUMBERS'],
    [1_000, 'NETWORK'],
  ] as const)(
    'fails; with the request’s deadline at %s, its cleanup begins with %s',
    (dispatchDeadline, cleanup) => {
      const waiting = { ...TOKEN, dispatchDeadline }
      expect(timeOut(waiting, AT)).toEqual(
        told(waiting, 'network_token.failed', { status: 'FAILED', reason: 'TIMEOUT', cleanup, askAt: AT }),
      )
    },
  )
})

describe('the state at the token service', () => {
  const found = {
    result: 'found',
    partnerId: 'its',
    reason: 'ACQUIRER_REJECTED',
    numberKept: true,
    cardLastFour: undefined,
  } as const
  const active: NetworkToken = { ...TOKEN, status: 'ACTIVE', cardToken: 'c', askAt: 4_000 }
  const suspended: NetworkToken = { ...active, status: 'SUSPENDED' }

  test.each<[string, Found]>([
    ['not asked', { result: 'not_sent', gone: false }],
    ['not answered', { result: 'unknown' }],
  ])('is %s, and nothing changes', (_how, unanswered) => {
    expect(adopt(active, unanswered, TIMES)).toBeUndefined()
  })

  test('is not asked, since the vault has no numbers of the token: it ends, unless it was never active', () => {
    const gone = { result: 'not_sent', gone: true } as const
    expect(adopt(active, gone, TIMES)).toEqual(
      told(active, 'network_token.inactive', { status: 'INACTIVE', cleanup: 'NUMBERS', askAt: AT }),
    )
    expect(adopt(suspended, gone, TIMES)?.token).toMatchObject({ status: 'INACTIVE', cleanup: 'NUMBERS' })
    expect(adopt(TOKEN, gone, TIMES)).toBeUndefined()
    expect(endGone({ ...active, status: 'INACTIVE' }, AT)).toBeUndefined()
  })

  test.each([TOKEN, suspended])('is active: a token in $status becomes active and is watched', (token) => {
    expect(adopt(token, { ...found, state: 'ACTIVE' }, TIMES)).toEqual(
      told(token, 'network_token.active', { status: 'ACTIVE', partnerId: 'its', askAt: 65_000 }),
    )
  })

  test('is unchanged: the token is still watched, and no event is sent', () => {
    expect(adopt(active, { ...found, state: 'ACTIVE' }, TIMES)).toEqual(
      saved(active, { partnerId: 'its', askAt: 65_000 }),
    )
    expect(adopt(suspended, { ...found, state: 'SUSPENDED' }, TIMES)).toEqual(
      saved(suspended, { partnerId: 'its', askAt: 65_000 }),
    )
  })

  test('is suspended: an active token becomes suspended', () => {
    expect(adopt(active, { ...found, state: 'SUSPENDED' }, TIMES)).toEqual(
      told(active, 'network_token.inactive', { status: 'SUSPENDED', partnerId: 'its', askAt: 65_000 }),
    )
  })

  test('is pending, or suspended before the token was ever active: the token goes on waiting', () => {
    for (const state of ['PENDING', 'SUSPENDED'] as const) {
      expect(adopt(TOKEN, { ...found, state }, TIMES)).toEqual(saved(TOKEN, { partnerId: 'its' }))
    }
    expect(adopt(active, { ...found, state: 'PENDING' }, TIMES)).toEqual(saved(active, { partnerId: 'its' }))
  })

  test('is active, but the vault has no number for the token: it cannot be charged yet', () => {
    expect(adopt(TOKEN, { ...found, state: 'ACTIVE', numberKept: false }, TIMES)).toEqual(saved(TOKEN, {}))
  })

  test.each([
    ['FAILED', 'CARD_EXPIRED'],
    ['DELETED', 'ACQUIRER_REJECTED'],
  ] as const)('of a pending token is %s: the token fails with %s', (state, reason) => {
    expect(adopt(TOKEN, { ...found, state, reason: 'CARD_EXPIRED' }, TIMES)).toEqual(
      told(TOKEN, 'network_token.failed', { status: 'FAILED', reason, cleanup: 'NUMBERS', askAt: AT }),
    )
  })

  test.each(['FAILED', 'DELETED'] as const)('of a token that was active is %s: the token ends', (state) => {
    expect(adopt(active, { ...found, state }, TIMES)).toEqual(
      told(active, 'network_token.inactive', { status: 'INACTIVE', cleanup: 'NUMBERS', askAt: AT }),
    )
  })

  test('has a new card: its last digits are shown, and the kept card is not current', () => {
    expect(adopt(active, { ...found, state: 'ACTIVE', cardLastFour: '4242' }, TIMES)?.token).toMatchObject({
      card: { ...active.card, lastFour: '4242' },
      cardIsCurrent: false,
    })
    const renewed = { ...active, cardIsCurrent: false }
    for (const token of [active, renewed]) {
      for (const cardLastFour of ['1111', undefined]) {
        expect(adopt(token, { ...found, state: 'ACTIVE', cardLastFour }, TIMES)?.token).toMatchObject({
          card: token.card,
          cardIsCurrent: token.cardIsCurrent,
        })
      }
    }
  })
})

describe('a token that the token service does not know', () => {
  const absent = { result: 'absent' } as const
  const asked: NetworkToken = { ...TOKEN, partnerId: null }

  test('is requested again, once the deadline of its request and the grace have passed', () => {
    expect(adopt(asked, absent, { ...TIMES, at: 3_000 })).toBeUndefined()
    expect(adopt(asked, absent, { ...TIMES, at: 3_001 })).toEqual(
      saved(asked, { dispatchDeadline: null, askAt: 3_001 }),
    )
  })

  test.each<[string, Partial<NetworkToken>]>([
    ['was accepted before', { partnerId: 'p' }],
    ['was not asked for yet', { dispatchDeadline: null }],
    ['has failed', { status: 'FAILED', reason: 'TIMEOUT' }],
    ['has ended', { status: 'INACTIVE' }],
  ])('%s: its absence proves nothing', (_how, change) => {
    expect(adopt({ ...asked, ...change }, absent, TIMES)).toBeUndefined()
  })

  test.each(['ACTIVE', 'SUSPENDED'] as const)('was %s: it is asked about at its usual time', (status) => {
    const token = { ...TOKEN, status }
    expect(adopt(token, absent, TIMES)).toEqual(saved(token, { askAt: 65_000 }))
  })
})

describe('after the end', () => {
  const closing: NetworkToken = { ...TOKEN, status: 'INACTIVE', cleanup: 'NETWORK', askAt: 1 }

  test.each([{ result: 'closed' }, { result: 'over' }, { result: 'not_sent', gone: true }] as const)(
    'a token that is closed at the network ($result) has its numbers destroyed next',
    (outcome) => {
      expect(recordClose(closing, outcome, AT)).toEqual(saved(closing, { cleanup: 'NUMBERS', askAt: AT }))
    },
  )

  test.each([{ result: 'not_sent', gone: false }, { result: 'unknown' }] as const)(
    'closing is tried again while its outcome is unknown ($result)',
    (outcome) => expect(recordClose(closing, outcome, AT)).toBeUndefined(),
  )

  test('an answer that comes after the token is closed changes nothing', () => {
    expect(recordClose({ ...closing, cleanup: 'NUMBERS' }, { result: 'closed' }, AT)).toBeUndefined()
    expect(recordClose({ ...closing, cleanup: null }, { result: 'closed' }, AT)).toBeUndefined()
  })

  test('no call can be made about a token whose numbers are gone', () => {
    expect(isGone({ result: 'not_sent', gone: true })).toBe(true)
    expect(isGone({ result: 'not_sent', gone: false })).toBe(false)
    expect(isGone({ result: 'unknown' })).toBe(false)
    expect(isGone({ result: 'absent' })).toBe(false)
  })

  test('once the numbers are destroyed, nothing is left to do and the token is never asked about again', () => {
    expect(cleaned(closing, AT)).toEqual(saved(closing, { cleanup: null, askAt: null }))
  })
})
