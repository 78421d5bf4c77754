import type { BankSlip, Registration } from '../../src/bank/bank'
import { barcodeOf, digitableLineOf } from '../../src/boleto/barcode'
import type { Beneficiary, Boleto, BoletoStatus } from '../../src/boleto/boleto'
import {
  agrees,
  BANK_DISAGREES,
  closedAtBank,
  move,
  paid,
  recordLook,
  recordRegistration,
  withAccount,
  withdraw,
  withdrawn,
  withoutAccount,
} from '../../src/boleto/transition'

const AT = Date.parse('2026-11-24T15:00:00Z')
const OPERATION = '00000000-0000-4000-8000-000000000001'

/** A slip that was voided while its registration was under way. */
const WITHDRAWN = {
  status: 'CANCELLED',
  withdrawing: true,
  operationId: OPERATION,
  askAt: AT,
  version: 2,
} as Boleto

test.each<[string, Registration, Partial<Boleto>]>([
  ['was never sent', { result: 'not_sent' }, { withdrawing: false, askAt: null }],
  ['the bank refused', { result: 'refused', code: 'PAGADOR_INVALIDO' }, { withdrawing: false, askAt: null }],
  [
    'the bank has with other digits',
    { result: 'refused', code: BANK_DISAGREES },
    { withdrawing: true, askAt: AT },
  ],
])('a withdrawn slip that %s changes once, and its key is free', (_what, outcome, expected) => {
  const { boleto, mark } = recordRegistration(WITHDRAWN, outcome, AT)
  expect(boleto).toMatchObject({ ...expected, status: 'CANCELLED', operationId: null, version: 3 })
  expect(mark).toEqual({ operationId: OPERATION, end: 'freed' })
})

test('a slip paid with too little is looked at again, and not withdrawn', () => {
  const registered = { ...WITHDRAWN, status: 'REGISTERED', withdrawing: false } as Boleto
  const closed = closedAtBank(registered, AT)
  expect(closed).toMatchObject({ status: 'CANCELLED', withdrawing: false, version: 3 })
  expect(closed.askAt).toBeGreaterThan(AT)
})

const DAY_MS = 86_400_000
const STATES = ['PENDING', 'REGISTERED', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUSED'] as const

/** A slip whose last day is the day after `AT`. */
function boletoIn(status: BoletoStatus, changes: Partial<Boleto> = {}): Boleto {
  const asked = {
    dueDay: '2026-11-25',
    payableUntil: '2026-11-25',
    amount: 9_980,
    ourNumber: '12345670000000001',
  }
  const kept = { withdrawing: false, operationId: null, accountGoneAt: null, refusal: null, askAt: AT }
  return { ...asked, ...kept, status, version: 2, updatedAt: 0, ...changes } as Boleto
}
/** The first moment after the slip's last day, in São Paulo. */
const OVER = Date.parse('2026-11-26T03:00:00Z')

test.each<[BoletoStatus, BoletoStatus[]]>([
  ['PENDING', ['REGISTERED', 'PAID', 'CANCELLED', 'REFUSED']],
  ['REGISTERED', ['PAID', 'EXPIRED', 'CANCELLED']],
  ['PAID', []],
  ['EXPIRED', ['PAID', 'CANCELLED']],
  ['CANCELLED', ['PAID']],
  ['REFUSED', ['PAID']],
])('a slip goes from %s only to %j', (status, next) => {
  const reached = STATES.filter((to) => {
    try {
      return move(boletoIn(status), to, { refusal: 'X' }, AT).status === to
    } catch (error) {
      expect(error).toEqual(new Error(`a boleto ${status} became ${to}`))
      return false
    }
  })
  expect(reached.toSorted()).toEqual(next.toSorted())
})

test('each change makes a new version', () => {
  const moved = move(boletoIn('PENDING'), 'REFUSED', { refusal: 'X' }, AT)
  expect(moved).toEqual(boletoIn('REFUSED', { refusal: 'X', version: 3, updatedAt: AT }))
})

test('a slip that nobody should pay any more is withdrawn at once, and looked at again three days later', () => {
  const asked = withdraw(boletoIn('REGISTERED', { askAt: null }), AT)
  expect(asked).toEqual(boletoIn('CANCELLED', { withdrawing: true, version: 3, updatedAt: AT }))
  const done = { withdrawing: false, askAt: AT + 1 + 3 * DAY_MS, version: 4, updatedAt: AT + 1 }
  expect(withdrawn(asked, AT + 1)).toEqual(boletoIn('CANCELLED', done))
})

test('money that an invoice takes pays a slip, even a refused or withdrawn one, with another look later', () => {
  const after = { withdrawing: false, refusal: null, askAt: AT + 3 * DAY_MS, version: 3, updatedAt: AT }
  for (const status of ['REFUSED', 'CANCELLED'] as const) {
    const before = boletoIn(status, { withdrawing: true, refusal: 'X' })
    expect(paid(before, AT)).toEqual(boletoIn('PAID', after))
  }
  expect(closedAtBank(boletoIn('REGISTERED'), AT).askAt).toBe(AT + 3 * DAY_MS)
})

test('the bank agrees when both lines and the amount are ours', () => {
  const boleto = boletoIn('PENDING')
  const barcode = barcodeOf(boleto)
  const slip = { barcode, digitableLine: digitableLineOf(barcode), amount: 9_980 } as BankSlip
  expect(agrees(boleto, slip)).toBe(true)
  const other = barcodeOf({ ...boleto, amount: 9_981 })
  expect(agrees(boleto, { ...slip, barcode: other, digitableLine: digitableLineOf(other) })).toBe(false)
  expect(agrees(boleto, { ...slip, barcode: other })).toBe(false)
  expect(agrees(boleto, { ...slip, digitableLine: digitableLineOf(other) })).toBe(false)
  expect(agrees(boleto, { ...slip, amount: 9_981 })).toBe(false)
})

const KNOWN = { barcode: 'bars', digitableLine: 'digits', beneficiary: { name: 'Loja' } as Beneficiary }
const REGISTERED: Registration = { result: 'registered', slip: { ...KNOWN, amount: 9_980 } as BankSlip }
const MARKED = { operationId: OPERATION }

test('a registered slip is payable, answers its request, and is looked at after a day or after its end', () => {
  const early = AT - 3 * DAY_MS
  const decision = recordRegistration(boletoIn('PENDING', MARKED), REGISTERED, early)
  const changes = { ...KNOWN, askAt: early + DAY_MS, version: 3, updatedAt: early }
  expect(decision).toEqual({
    boleto: boletoIn('REGISTERED', changes),
    mark: { operationId: OPERATION, end: 'answered' },
  })
  const late = AT + DAY_MS / 2
  expect(recordRegistration(boletoIn('PENDING'), REGISTERED, late)).toEqual({
    boleto: boletoIn('REGISTERED', { ...KNOWN, askAt: OVER, version: 3, updatedAt: late }),
  })
})

test('a slip that was withdrawn or paid meanwhile stays so, with the bank’s data', () => {
  const before = boletoIn('CANCELLED', { ...MARKED, withdrawing: true })
  expect(recordRegistration(before, REGISTERED, AT)).toEqual({
    boleto: boletoIn('CANCELLED', { ...KNOWN, withdrawing: true, version: 3, updatedAt: AT }),
    mark: { operationId: OPERATION, end: 'answered' },
  })
})

test.each(['unknown', 'duplicate'] as const)(
  'an answer that is %s answers the request and leaves the slip for the sweeper',
  (result) => {
    expect(recordRegistration(boletoIn('PENDING', MARKED), { result }, AT)).toEqual({
      boleto: boletoIn('PENDING', { version: 3, updatedAt: AT }),
      mark: { operationId: OPERATION, end: 'answered' },
    })
    const unmarked = boletoIn('PENDING')
    expect(recordRegistration(unmarked, { result }, AT).boleto).toBe(unmarked)
  },
)

test.each<[string, Registration, string]>([
  ['the bank refused', { result: 'refused', code: 'PAGADOR_INVALIDO' }, 'PAGADOR_INVALIDO'],
  ['was never sent', { result: 'not_sent' }, 'NOT_SENT'],
])(
  'a slip that %s is REFUSED with the reason, is no longer asked about, and its key is free',
  (_what, outcome, refusal) => {
    const ended = boletoIn('REFUSED', { refusal, askAt: null, version: 3, updatedAt: AT })
    expect(recordRegistration(boletoIn('PENDING', MARKED), outcome, AT)).toEqual({
      boleto: ended,
      mark: { operationId: OPERATION, end: 'freed' },
    })
    expect(recordRegistration(boletoIn('PENDING'), outcome, AT)).toEqual({ boleto: ended })
  },
)

test('a look at a registered slip ends it after its last day or when the bank cancelled it, else is repeated', () => {
  const registered = boletoIn('REGISTERED')
  const look = (cancelled: boolean, at: number) => recordLook(registered, { cancelled }, at)
  const at = (changes: Partial<Boleto>, now: number) => ({ ...changes, version: 3, updatedAt: now })
  expect(look(false, OVER - 1)).toEqual(boletoIn('REGISTERED', at({ askAt: OVER }, OVER - 1)))
  expect(look(true, OVER - 1)).toEqual(boletoIn('CANCELLED', at({ askAt: OVER - 1 + 3 * DAY_MS }, OVER - 1)))
  for (const cancelled of [false, true]) {
    expect(look(cancelled, OVER)).toEqual(boletoIn('EXPIRED', at({ askAt: OVER + 3 * DAY_MS }, OVER)))
  }
})

test.each(['EXPIRED', 'CANCELLED', 'PAID'] as const)('the last look at a %s slip is the last', (status) => {
  for (const cancelled of [false, true]) {
    const ended = boletoIn(status, { askAt: null, version: 3, updatedAt: AT })
    expect(recordLook(boletoIn(status), { cancelled }, AT)).toEqual(ended)
  }
})

const WEEK_MS = 7 * DAY_MS

test('a slip without an account is looked at every hour for a week, in case the account is back', () => {
  const first = withoutAccount(boletoIn('REGISTERED', MARKED), AT)
  const waiting = { ...MARKED, accountGoneAt: AT }
  const next = (at: number) => ({ askAt: at + DAY_MS / 24, updatedAt: at })
  expect(first).toEqual({ boleto: boletoIn('REGISTERED', { ...waiting, ...next(AT), version: 3 }) })
  const last = AT + WEEK_MS - 1
  expect(withoutAccount(first.boleto, last)).toEqual({
    boleto: boletoIn('REGISTERED', { ...waiting, ...next(last), version: 4 }),
  })
})

test.each<[BoletoStatus, Partial<Boleto>, BoletoStatus, Partial<Boleto>]>([
  ['PENDING', {}, 'REFUSED', { refusal: 'NO_ACCOUNT', askAt: null }],
  ['CANCELLED', { withdrawing: true }, 'CANCELLED', { askAt: null }],
  ['REGISTERED', {}, 'EXPIRED', { askAt: null }],
  ['REGISTERED', { payableUntil: '2026-12-31' }, 'REGISTERED', { askAt: AT + WEEK_MS + DAY_MS }],
])('after a week, a %s slip %j without an account is given up: %s', (status, changes, ended, after) => {
  const at = AT + WEEK_MS
  const before = boletoIn(status, { ...changes, accountGoneAt: AT })
  const expected = { ...changes, withdrawing: false, accountGoneAt: AT, ...after, version: 3, updatedAt: at }
  expect(withoutAccount(before, at)).toEqual({ boleto: boletoIn(ended, expected) })
})

test('the key of a request whose slip was given up is free', () => {
  const { boleto, mark } = withoutAccount(boletoIn('PENDING', { ...MARKED, accountGoneAt: AT - WEEK_MS }), AT)
  expect([boleto.operationId, mark]).toEqual([null, { operationId: OPERATION, end: 'freed' }])
})

test('an account that is back is recorded once', () => {
  const without = boletoIn('REGISTERED', { accountGoneAt: AT })
  expect(withAccount(without, AT + 1)).toEqual(boletoIn('REGISTERED', { version: 3, updatedAt: AT + 1 }))
  const having = boletoIn('REGISTERED')
  expect(withAccount(having, AT + 1)).toBe(having)
})
