import { deactivate, transition, type NetworkToken, type Status } from '../src/token/network-token'
import { adopt, isOverdue, recordRequest } from '../src/token/settlement'

const TOKEN: NetworkToken = {
  token: 'a'.repeat(64),
  sellerId: 9,
  merchantId: 'm',
  reference: 'r',
  partnerId: 'p',
  status: 'PENDING',
  reason: null,
  card: {
    bin: '411111',
    lastFour: '1111',
    brand: 'VISA',
    expirationYear: 2031,
    expirationMonth: 12,
    holderName: 'ANA',
  },
  cardToken: null,
  cardIsCurrent: true,
  notificationUrl: 'https://shop.example',
  dispatchDeadline: 1_000,
  cleanup: null,
  askAt: 0,
  version: 1,
  sequence: 0,
  createdAt: 0,
  updatedAt: 0,
}
const TIMES = { at: 5_000, pendingMaxMs: 900_000, graceMs: 2_000, firstAskMs: 100, watchMs: 60_000 }
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
  'from %s to %s: only where the table says so',
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
])('deactivating a token that is %s tells the seller %s', (status, event) => {
  expect(deactivate({ ...TOKEN, status }, 1)).toMatchObject({ token: { status: 'INACTIVE' }, event })
})

test('that a request never arrived is concluded only past its deadline and the grace', () => {
  const lost = { ...TOKEN, partnerId: null }
  expect(adopt(lost, { result: 'absent' }, { ...TIMES, at: 3_000 })).toBeUndefined()
  expect(adopt(lost, { result: 'absent' }, { ...TIMES, at: 3_001 })?.token.dispatchDeadline).toBeNull()
  expect(adopt(TOKEN, { result: 'absent' }, TIMES)).toBeUndefined()
})

test('a token deleted before it was ever active has failed', () => {
  const found = {
    result: 'found',
    partnerId: 'p',
    reason: 'ACQUIRER_REJECTED',
    numberKept: false,
    cardLastFour: undefined,
  } as const
  expect(adopt(TOKEN, { ...found, state: 'DELETED' }, TIMES)?.token).toMatchObject({
    status: 'FAILED',
    reason: 'ISSUER_DECLINED',
  })
  // Suspended, or without its number in the vault, it can't be charged yet. It counts that this was answered.
  const counted = { token: { status: 'PENDING', askAt: 0, version: 2 }, event: undefined }
  expect(adopt(TOKEN, { ...found, state: 'SUSPENDED' }, TIMES)).toMatchObject(counted)
  expect(adopt(TOKEN, { ...found, state: 'ACTIVE' }, TIMES)).toMatchObject(counted)
})

test('an answer that comes after the token has ended changes nothing', () => {
  const late = { ...TOKEN, status: 'FAILED' as const, reason: 'TIMEOUT' as const }
  expect(recordRequest(late, { result: 'accepted', partnerId: 'p' }, TIMES, false)).toBeUndefined()
})

test('fifteen minutes are what a token may stay pending', () => {
  expect(isOverdue(TOKEN, { ...TIMES, at: 899_999 })).toBe(false)
  expect(isOverdue(TOKEN, { ...TIMES, at: 900_000 })).toBe(true)
  expect(isOverdue({ ...TOKEN, status: 'ACTIVE' }, { ...TIMES, at: 900_000 })).toBe(false)
})
