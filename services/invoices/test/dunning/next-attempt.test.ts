import { dayOf } from '@cofre/platform/calendar-day'
import type { Decline, Transaction } from '../../src/invoice/rules/invoice'
import type { CardDecline } from '../../src/dunning/rules/brand-limits'
import { firstTryOf, nextAttempt, whenAllowed, type Next } from '../../src/dunning/rules/next-attempt'
import { chargingTimeOf, retriesOf } from '../../src/dunning/rules/schedule'

const DAYS = [1, 3, 5, 7]
const DUE = '2027-02-10'
const MINUTE_MS = 60_000

type Case = { brand?: string; acquirerCode: string; code?: string; retryable?: boolean; adviceCode?: string }

function declineOf({
  acquirerCode,
  code = 'DO_NOT_HONOR',
  retryable = true,
  adviceCode = '',
}: Case): Decline {
  const advice = retryable ? 'TRY_LATER' : 'USE_ANOTHER_CARD'
  return { code, acquirerCode, message: 'No.', retryable, advice, adviceCode }
}

/** Tries a card that is always declined until a rule ends it. Returns the days, from the due day on, and the end. */
function tries(
  found: Case,
  dunningDays: readonly number[] = DAYS,
  before: readonly CardDecline[] = [],
  beganAt?: number,
) {
  const { brand = 'VISA' } = found
  const decline = declineOf(found)
  const cardTriedAt = chargingTimeOf(DUE) + MINUTE_MS
  const firstTriedAt = beganAt ?? cardTriedAt
  const at: number[] = []
  let next: Next = { is: 'attempt', at: cardTriedAt, rule: 'SCHEDULE' }
  while (next.is === 'attempt') {
    at.push(next.at)
    const declines = [...before, ...at.map((each) => ({ at: each, amount: 9_900 }))]
    const first = { firstTriedAt, cardTriedAt }
    const asked = { brand, amount: 9_900, decline, at: next.at, dueDay: DUE, ...first, declines }
    next = nextAttempt(asked, dunningDays)
    if (at.length > 100) throw new Error('it never ends')
  }
  const days = at.map((each) => Math.round((Date.parse(dayOf(each)) - Date.parse(DUE)) / 86_400_000))
  return { days, end: 'rule' in next ? next.rule : next.is, at }
}

test.each([
  ['a decline without advice follows the schedule', { acquirerCode: '05' }, [0, 1, 3, 5, 7], 'SCHEDULE_OVER'],
  [
    'no funds: at least two days between',
    { acquirerCode: '51', code: 'INSUFFICIENT_FUNDS' },
    [0, 3, 5, 7],
    'SCHEDULE_OVER',
  ],
  [
    'advice 02 waits 72 hours',
    { brand: 'MASTERCARD', acquirerCode: '05', adviceCode: '02' },
    [0, 3, 7],
    'SCHEDULE_OVER',
  ],
  [
    'advice 24 waits an hour',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '24' },
    [0, 1, 3, 5, 7],
    'SCHEDULE_OVER',
  ],
  [
    'advice 25 waits 24 hours',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '25' },
    [0, 1, 3, 5, 7],
    'SCHEDULE_OVER',
  ],
  [
    'advice 26 waits two days',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '26' },
    [0, 3, 5, 7],
    'SCHEDULE_OVER',
  ],
  [
    'advice 27 waits four days',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '27' },
    [0, 5, 9],
    'SCHEDULE_OVER',
  ],
  [
    'advice 28 waits six days',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '28' },
    [0, 7],
    'SCHEDULE_OVER',
  ],
  [
    'advice 29 waits eight days, beyond the last one',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '29' },
    [0, 8],
    'SCHEDULE_OVER',
  ],
  [
    'advice 30 waits ten days, beyond the last one',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '30' },
    [0, 10],
    'SCHEDULE_OVER',
  ],
  ['advice 3 forbids it', { brand: 'MASTERCARD', acquirerCode: '05', adviceCode: '3' }, [0], 'needs_card'],
  ['advice 03 forbids it', { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '03' }, [0], 'needs_card'],
  [
    'advice 40: a prepaid card',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '40' },
    [0],
    'needs_card',
  ],
  [
    'advice 41: a card for one use',
    { brand: 'MASTERCARD', acquirerCode: '51', adviceCode: '41' },
    [0],
    'needs_card',
  ],
  [
    'advice 21: the holder cancelled',
    { brand: 'MASTERCARD', acquirerCode: '05', adviceCode: '21' },
    [0],
    'HOLDER_STOPPED',
  ],
  [
    'advice of Mastercard alone counts',
    { brand: 'VISA', acquirerCode: '05', adviceCode: '03' },
    [0, 1, 3, 5, 7],
    'SCHEDULE_OVER',
  ],
  ['Visa category 1 is tried once', { acquirerCode: '14', retryable: false }, [0], 'needs_card'],
  ['Visa category 1, whatever else says so', { acquirerCode: '046' }, [0], 'needs_card'],
  [
    'Visa R1: the holder stopped it',
    { acquirerCode: 'R1', code: 'RECURRING_STOPPED', retryable: false },
    [0],
    'HOLDER_STOPPED',
  ],
  ['an expired card', { acquirerCode: '54', code: 'EXPIRED_CARD', retryable: false }, [0], 'needs_card'],
  [
    'the seller at fault',
    { acquirerCode: '03', code: 'INVALID_MERCHANT', retryable: false },
    [0],
    'NOT_THE_CARD',
  ],
  ['Elo AB', { brand: 'ELO', acquirerCode: 'AB' }, [0], 'needs_card'],
  [
    'a final code of another brand',
    { brand: 'AMEX', acquirerCode: '200', retryable: false },
    [0],
    'needs_card',
  ],
  [
    'a code of another brand that may be tried',
    { brand: 'HIPERCARD', acquirerCode: '05' },
    [0, 1, 3, 5, 7],
    'SCHEDULE_OVER',
  ],
] as const)('%s', (_name, found, days, end) => {
  expect(tries(found)).toMatchObject({ days, end })
})

const DAILY = Array.from({ length: 40 }, (_each, index) => index + 1)

test.each([
  ['Visa: 15 within 30 days', 'VISA', '05', 15],
  ['Elo: 15 in a calendar month', 'ELO', '05', 15],
  ["the acquirer's own codes: 5 within 16 days", 'JCB', '70', 5],
])('the longest schedule stays within the limit. %s', (_name, brand, acquirerCode, most) => {
  const { at } = tries({ brand, acquirerCode }, DAILY)
  const month = (each: number) => dayOf(each).slice(0, 7)
  const within = (from: number) =>
    brand === 'ELO'
      ? at.filter((each) => month(each) === month(from)).length
      : at.filter((each) => each >= from && each < from + (brand === 'JCB' ? 16 : 30) * 86_400_000).length
  expect(Math.max(...at.map(within))).toBe(most)
})

test('Visa: nothing later than 30 days after the first try', () => {
  const { at } = tries({ brand: 'VISA', acquirerCode: '05' }, [1, 29, 30, 31, 35])
  expect(at).toHaveLength(4)
  expect(at.at(-1)).toBeLessThanOrEqual((at[0] ?? 0) + 30 * 86_400_000)
})

test('declines of other payments with the card count: any amount for Mastercard, the same for Visa and Elo', () => {
  const before = Array.from({ length: 34 }, (_each, index) => ({
    at: chargingTimeOf(DUE) - 5 * 86_400_000 - index,
    amount: 123,
  }))
  expect(tries({ brand: 'MASTERCARD', acquirerCode: '05' }, DAYS, before)).toMatchObject({
    days: [0],
    end: 'BRAND_LIMIT',
  })
  expect(tries({ brand: 'VISA', acquirerCode: '05' }, DAYS, before).days).toEqual([0, 1, 3, 5, 7])
  const same = before.map(({ at }) => ({ at, amount: 9_900 }))
  expect(tries({ brand: 'ELO', acquirerCode: '05' }, DAYS, same)).toMatchObject({
    days: [0],
    end: 'BRAND_LIMIT',
  })
})

test('Visa: the 30 days are those of the card, also where another card was tried before it', () => {
  const [tenDaysBefore, days] = [chargingTimeOf(DUE) - 10 * 86_400_000, [10, 25, 29]]
  expect(tries({ acquirerCode: '05' }, days, [], tenDaysBefore).days).toEqual([0, 10, 25, 29])
})

test('a card was first tried for an invoice when it was first declined', () => {
  const tried = (cardId: number, createdAt: number, isDeclined = true) =>
    ({ cardId, createdAt, decline: isDeclined ? declineOf({ acquirerCode: '05' }) : null }) as Transaction
  const invoice = { transactions: [tried(1, 10), tried(2, 20, false), tried(2, 30), tried(2, 40)] }
  expect([1, 2, 3, null].map((cardId) => firstTryOf(invoice, cardId))).toEqual([10, 30, undefined, undefined])
})

test('a limit that ends within the schedule only postpones: Elo in the next month', () => {
  const dueDay = '2027-02-26'
  const firstTriedAt = chargingTimeOf(dueDay)
  const declines = Array.from({ length: 15 }, (_each, index) => ({ at: firstTriedAt - index, amount: 500 }))
  const first = { firstTriedAt, cardTriedAt: firstTriedAt }
  const asked = { brand: 'ELO', amount: 500, at: firstTriedAt, dueDay, ...first, declines, latest: null }
  const next = { is: 'attempt', at: chargingTimeOf('2027-03-01'), rule: 'BRAND_LIMIT' }
  expect(nextAttempt({ ...asked, decline: declineOf({ acquirerCode: '05' }) }, DAYS)).toEqual(next)
  expect(whenAllowed(asked, DAYS)).toEqual(next)
  expect(whenAllowed({ ...asked, declines: [] }, DAYS)).toEqual({
    is: 'attempt',
    at: firstTriedAt,
    rule: 'SCHEDULE',
  })
  expect(
    whenAllowed({ ...asked, dueDay: '2027-02-10', firstTriedAt: chargingTimeOf('2027-02-10') }, DAYS),
  ).toEqual({
    is: 'given_up',
    rule: 'BRAND_LIMIT',
  })
})

test('an invoice billed after its due day gets all its tries, counted from the first one', () => {
  const firstTriedAt = chargingTimeOf('2027-03-20') + 5 * 3_600_000
  const days = retriesOf({ dueDay: DUE, firstTriedAt }, DAYS).map(dayOf)
  expect(days).toEqual(['2027-03-21', '2027-03-23', '2027-03-25', '2027-03-27'])
})
