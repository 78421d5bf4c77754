import {
  failedTries,
  isBegun,
  isVain,
  nextRetry,
  type Collected,
  type CollectionTry,
} from '../../src/pix/rules/collection'
import {
  ended,
  followed,
  refused,
  type BankPermission,
  type PixPermission,
} from '../../src/pix/rules/permission'

const DUE = '2055-02-05'
const tried = (...tries: [day: string, status: CollectionTry['status']][]): Collected => ({
  status: 'ACTIVE',
  code: null,
  tries: tries.map(([day, status]) => ({ day, status, code: status === 'REJECTED' ? 'AM02' : null })),
})
const first = ['2055-02-05', 'REJECTED'] as [string, 'REJECTED']
const second = ['2055-02-07', 'REJECTED'] as [string, 'REJECTED']
const third = ['2055-02-09', 'REJECTED'] as [string, 'REJECTED']
const fourth = ['2055-02-12', 'REJECTED'] as [string, 'REJECTED']

test.each([
  ['before the first try', tried(), DUE, undefined],
  ['while one is scheduled', tried(['2055-02-05', 'SCHEDULED']), DUE, undefined],
  ['after the first failed', tried(first), DUE, '2055-02-07'],
  ['on the day that would have been the second', tried(first), '2055-02-07', '2055-02-09'],
  ['after a first try that a weekend moved', tried(['2055-02-08', 'REJECTED']), '2055-02-08', '2055-02-09'],
  ['after the second failed', tried(first, second), '2055-02-07', '2055-02-09'],
  ['after the third failed', tried(first, second, third), '2055-02-09', '2055-02-12'],
  ['after the fourth failed', tried(first, second, third, fourth), '2055-02-12', undefined],
  ['after the bank let one pass', tried(['2055-02-05', 'EXPIRED']), DUE, '2055-02-07'],
  ['when seven days are over', tried(first), '2055-02-12', undefined],
  [
    'with three more already',
    tried(first, ['2055-02-06', 'REJECTED'], second, ['2055-02-08', 'REJECTED']),
    '2055-02-08',
    undefined,
  ],
  ['when the bank has ended it', { ...tried(first), status: 'REJECTED' as const }, DUE, undefined],
])('the next try %s', (_when, collected, today, expected) => {
  expect(nextRetry(collected, DUE, today)).toBe(expected)
})

test.each([
  ['not registered', { status: null, code: null, tries: null }, false],
  ['new', tried(), false],
  ['scheduled', tried(['2055-02-05', 'SCHEDULED']), false],
  ['paid', { ...tried(['2055-02-05', 'PAID']), status: 'PAID' as const }, false],
  ['to be tried again', tried(first), false],
  ['tried as often as the rules allow', tried(first, second, third, fourth), true],
  ['scheduled for the last time', tried(first, second, third, ['2055-02-12', 'SCHEDULED']), false],
  ['paid at last, and not closed yet', tried(first, second, third, ['2055-02-12', 'PAID']), false],
  [
    'new, and not taken by the payer’s bank yet',
    { ...tried(first, second, third, fourth), status: 'CREATED' as const },
    false,
  ],
  ['rejected', { ...tried(first), status: 'REJECTED' as const }, true],
  ['expired', { ...tried(first), status: 'EXPIRED' as const }, true],
  ['cancelled', { ...tried(), status: 'CANCELLED' as const }, true],
])('a collection that is %s: nothing more is collected: %#', (_what, collected, expected) => {
  expect(isVain(collected, DUE, '2055-02-05')).toBe(expected)
})

test('tries that failed are rejected, or passed without an answer', () => {
  expect(failedTries({ tries: null })).toBe(0)
  expect(failedTries(tried(first, second, ['2055-02-09', 'SCHEDULED']))).toBe(2)
  expect(failedTries(tried(['2055-02-05', 'EXPIRED'], ['2055-02-07', 'PAID']))).toBe(1)
})

const DAY_MS = 86_400_000
const AT = 1_000 * DAY_MS
const MINUTE_MS = 60_000
/** Until then nobody else asks about it. */
const LEASED = AT + 5

const permission = (changes: Partial<PixPermission> = {}): PixPermission => ({
  id: 1,
  sellerId: 1,
  recurringInvoiceId: 1,
  publicId: 'p',
  status: 'CREATED',
  account: 'k',
  receiver: { branch: '', account: '1', type: 'PAYMENT' },
  firstCycle: 1,
  firstDay: DUE,
  frequency: 'MONTHLY',
  amount: 1,
  payer: { name: 'Ana Souza', document: '52998224725' },
  purpose: 'x',
  locationId: 1,
  recId: 'R',
  copyAndPaste: 'code',
  code: null,
  endedBy: null,
  cancelling: false,
  askAt: LEASED,
  collectAt: null,
  createdAt: 0,
  updatedAt: 0,
  ...changes,
})
const bank = (status: BankPermission['status']): BankPermission => ({
  status,
  copyAndPaste: null,
  code: null,
  endedBy: null,
})

test.each([
  ['CREATED', bank('CREATED'), {}, { status: 'CREATED', askAt: AT + DAY_MS, collectAt: null, updatedAt: 0 }],
  ['CREATED', bank('CREATED'), { updatedAt: AT - 1 }, { askAt: AT + MINUTE_MS, updatedAt: AT - 1 }],
  ['CREATED', bank('CREATED'), { updatedAt: AT - 9 * MINUTE_MS }, { askAt: AT + 9 * MINUTE_MS }],
  ['CREATED', bank('CREATED'), { askAt: AT }, { askAt: AT }],
  ['CREATED', bank('APPROVED'), { askAt: AT }, { status: 'APPROVED', askAt: AT, collectAt: AT }],
  ['CREATED', bank('APPROVED'), {}, { status: 'APPROVED', askAt: AT + DAY_MS, collectAt: AT, updatedAt: AT }],
  ['APPROVED', bank('APPROVED'), { collectAt: 7 }, { status: 'APPROVED', askAt: AT + DAY_MS, collectAt: 7 }],
  ['APPROVED', bank('CREATED'), {}, { status: 'APPROVED', askAt: LEASED }],
  ['CREATED', bank('REJECTED'), {}, { status: 'REJECTED', askAt: null, collectAt: null }],
  ['CREATED', bank('EXPIRED'), {}, { status: 'EXPIRED', askAt: null }],
  [
    'APPROVED',
    bank('CANCELLED'),
    { cancelling: true },
    { status: 'CANCELLED', cancelling: false, askAt: null },
  ],
  [
    'APPROVED',
    bank('APPROVED'),
    { cancelling: true },
    { status: 'APPROVED', cancelling: true, askAt: LEASED },
  ],
  ['CANCELLED', bank('APPROVED'), { askAt: null }, { status: 'CANCELLED', askAt: null }],
  ['PENDING', bank('CREATED'), { copyAndPaste: null }, { status: 'PENDING', askAt: LEASED }],
  [
    'PENDING',
    { ...bank('CREATED'), copyAndPaste: 'x' },
    { copyAndPaste: null, askAt: AT },
    { status: 'CREATED', copyAndPaste: 'x', askAt: AT + MINUTE_MS },
  ],
] as const)('a permission %s that the bank has as %o', (status, found, changes, expected) => {
  expect(followed(permission({ status, ...changes }), found, AT)).toMatchObject(expected)
})

test('a permission that is ended waits for the bank; one that is over stays so', () => {
  expect(ended(permission({ status: 'APPROVED', collectAt: 7 }), AT)).toMatchObject({
    cancelling: true,
    askAt: AT,
    collectAt: null,
    updatedAt: AT,
  })
  expect(ended(permission({ status: 'REJECTED' }), AT)).toEqual(permission({ status: 'REJECTED' }))
})

test('the bank refuses a permission that it has not made, and no other', () => {
  expect(refused(permission({ status: 'PENDING', cancelling: true }), 'X', AT)).toMatchObject({
    status: 'REFUSED',
    code: 'X',
    cancelling: false,
    askAt: null,
    updatedAt: AT,
  })
  expect(refused(permission(), 'X', AT)).toEqual(permission())
})

describe('whether the day of the first try has come', () => {
  const on = (...days: string[]): CollectionTry[] =>
    days.map((day) => ({ day, status: 'SCHEDULED', code: null }))
  test.each<[string, CollectionTry[] | null, boolean]>([
    ['the bank has none yet', null, false],
    ['none is scheduled', [], false],
    ['a later day', on('2055-03-06'), false],
    ['today', on('2055-03-05'), true],
    ['one day of several', on('2055-03-06', '2055-03-04'), true],
  ])('%s', (_words, tries, isSo) => {
    expect(isBegun({ tries }, '2055-03-05')).toBe(isSo)
  })
})

test('a try that fails while another is scheduled asks for no further one; a late list is read in any order', () => {
  const of = (day: string, status: CollectionTry['status']): CollectionTry => ({ day, status, code: null })
  const scheduled = [of('2055-03-05', 'REJECTED'), of('2055-03-07', 'SCHEDULED')]
  const collected = { status: 'ACTIVE' as const, code: null }
  expect(nextRetry({ ...collected, tries: scheduled }, '2055-03-05', '2055-03-06')).toBeUndefined()
  const rejected = [of('2055-03-09', 'REJECTED'), of('2055-03-05', 'REJECTED')]
  expect(nextRetry({ ...collected, tries: rejected }, '2055-03-05', '2055-03-05')).toBe('2055-03-12')
})

test('what the bank has not registered is not vain, whatever else is known', () => {
  const rejected: CollectionTry[] = [{ day: '2055-03-05', status: 'REJECTED', code: 'AM04' }]
  const after = ['2055-03-05', '2055-03-20'] as const
  expect(isVain({ status: null, code: null, tries: rejected }, ...after)).toBe(false)
  expect(isVain({ status: 'REJECTED', code: null, tries: null }, ...after)).toBe(false)
  expect(failedTries({ tries: null })).toBe(0)
  expect(failedTries({ tries: rejected })).toBe(1)
})
