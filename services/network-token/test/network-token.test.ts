import { deactivate, ended, transition, type Status } from '../src/token/network-token'
import { TOKEN } from './support/pending-token'

const STATUSES: Status[] = ['PENDING', 'ACTIVE', 'SUSPENDED', 'FAILED', 'INACTIVE']
const ALLOWED = [
  'PENDING ACTIVE',
  'PENDING FAILED',
  'ACTIVE SUSPENDED',
  'ACTIVE INACTIVE',
  'SUSPENDED ACTIVE',
  'SUSPENDED INACTIVE',
]

test.each(STATUSES.flatMap((from) => STATUSES.filter((to) => to !== from).map((to) => [from, to] as const)))(
  'a token goes from %s to %s only where the table allows it',
  (from, to) => {
    const move = () => transition({ ...TOKEN, status: from }, { status: to }, 1).token.status
    if (ALLOWED.includes(`${from} ${to}`)) expect(move()).toBe(to)
    else expect(move).toThrow(`does not go from ${from} to ${to}`)
  },
)

test.each<[Status, string | undefined]>([
  ['ACTIVE', 'network_token.inactive'],
  ['SUSPENDED', undefined],
  ['INACTIVE', undefined],
])('deactivating a token that is %s sends the seller %s', (status, event) => {
  expect(deactivate({ ...TOKEN, status }, 1)).toMatchObject({ token: { status: 'INACTIVE' }, event })
})

test.each(['PENDING', 'FAILED'] as const)('a token that is %s cannot be deactivated', (status) => {
  expect(() => deactivate({ ...TOKEN, status }, 1)).toThrow(
    expect.objectContaining({
      kind: 'failed_precondition',
      reason: 'NETWORK_TOKEN_NOT_ACTIVE',
      message: 'The network token is not active.',
    }),
  )
})

test('a deactivated token is closed at the network at once; one that has ended stays as it is', () => {
  expect(deactivate({ ...TOKEN, status: 'ACTIVE' }, 7).token).toEqual({
    ...TOKEN,
    status: 'INACTIVE',
    cleanup: 'NETWORK',
    askAt: 7,
    version: 2,
    sequence: 1,
    updatedAt: 7,
  })
  const over = { ...TOKEN, status: 'INACTIVE', cleanup: 'NUMBERS', askAt: 3 } as const
  expect(deactivate(over, 7)).toEqual({ before: over, token: { ...over, version: 2 }, event: undefined })
})

test.each<[Status, Status, string]>([
  ['PENDING', 'ACTIVE', 'network_token.active'],
  ['SUSPENDED', 'ACTIVE', 'network_token.active'],
  ['ACTIVE', 'SUSPENDED', 'network_token.inactive'],
  ['PENDING', 'FAILED', 'network_token.failed'],
])('a move from %s to %s sends the seller %s and counts it', (from, to, event) => {
  const before = { ...TOKEN, status: from }
  expect(transition(before, { status: to }, 7)).toEqual({
    before,
    token: { ...TOKEN, status: to, version: 2, sequence: 1, updatedAt: 7 },
    event,
  })
})

test('a change that keeps the status is saved without an event and without a new update time', () => {
  expect(transition(TOKEN, { askAt: 9 }, 7)).toEqual({
    before: TOKEN,
    token: { ...TOKEN, askAt: 9, version: 2 },
    event: undefined,
  })
  expect(transition(TOKEN, { status: 'PENDING' }, 7).event).toBeUndefined()
})

test('a token that failed keeps the reason, and its numbers are destroyed at once', () => {
  expect(ended(TOKEN, { status: 'FAILED', reason: 'CARD_EXPIRED' }, 'NUMBERS', 7).token).toEqual({
    ...TOKEN,
    status: 'FAILED',
    reason: 'CARD_EXPIRED',
    cleanup: 'NUMBERS',
    askAt: 7,
    version: 2,
    sequence: 1,
    updatedAt: 7,
  })
})
