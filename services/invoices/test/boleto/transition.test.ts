import type { BankSlip, Registration } from '../../src/boletos/bank/bank'
import { barcodeOf, digitableLineOf } from '../../src/boletos/rules/barcode'
import type { Beneficiary, Boleto } from '../../src/boletos/rules/boleto'
import { agrees, answerOf, renumbered } from '../../src/boletos/rules/transition'
import {
  BANK_DISAGREES,
  closedAtBank,
  move,
  paid,
  recordAnswer,
  recordLook,
  withAccount,
  withdraw,
  withdrawn,
  withoutAccount,
  type AskStatus,
} from '../../src/methods/rules/registered-ask'

const recordRegistration = (boleto: Boleto, outcome: Registration, at: number) =>
  recordAnswer(boleto, answerOf(outcome), at)

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
    { withdrawing: false, askAt: null },
  ],
])('a withdrawn slip that %s changes once, and its key is free', (_what, outcome, expected) => {
  const { ask, mark } = recordRegistration(WITHDRAWN, outcome, AT)
  expect(ask).toMatchObject({ ...expected, status: 'CANCELLED', operationId: null, version: 3 })
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
function boletoIn(status: AskStatus, changes: Partial<Boleto> = {}): Boleto {
  const asked = {
    dueDay: '2026-11-25',
    payableUntil: '2026-11-25',
    amount: 9_980,
    ourNumber: '12345670000000001',
    documentNumber: '000042',
    payer: { name: 'Ana', document: '52998224725', address: '', place: null },
  }
  const kept = { withdrawing: false, operationId: null, accountGoneAt: null, refusal: null, askAt: AT }
  return { ...asked, ...kept, status, version: 2, updatedAt: 0, ...changes } as Boleto
}
/** The first moment after the slip's last day, in São Paulo. */
const OVER = Date.parse('2026-11-26T03:00:00Z')

test.each<[AskStatus, AskStatus[]]>([
  ['PENDING', ['REGISTERED', 'CANCELLED', 'REFUSED']],
  ['REGISTERED', ['PAID', 'EXPIRED', 'CANCELLED']],
  ['PAID', []],
  ['EXPIRED', ['PAID', 'CANCELLED']],
  ['CANCELLED', ['PAID']],
  ['REFUSED', []],
])('a slip goes from %s only to %j', (status, next) => {
  const reached = STATES.filter((to) => {
    try {
      return move(boletoIn(status), to, { refusal: 'X' }, AT).status === to
    } catch (error) {
      expect(error).toEqual(new Error(`an ask ${status} became ${to}`))
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

test('money that an invoice takes pays a slip, even a withdrawn one, with another look later', () => {
  const after = { withdrawing: false, askAt: AT + 3 * DAY_MS, version: 3, updatedAt: AT }
  expect(paid(boletoIn('CANCELLED', { withdrawing: true }), AT)).toEqual(boletoIn('PAID', after))
  expect(closedAtBank(boletoIn('REGISTERED'), AT).askAt).toBe(AT + 3 * DAY_MS)
})

test('the bank agrees when both lines, amount, payer and document number are ours', () => {
  const boleto = boletoIn('PENDING')
  const barcode = barcodeOf(boleto)
  const named = { payerDocument: '52998224725', documentNumber: '000042' }
  const slip = { barcode, digitableLine: digitableLineOf(barcode), amount: 9_980, ...named } as BankSlip
  expect(agrees(boleto, slip)).toBe(true)
  const other = barcodeOf({ ...boleto, amount: 9_981 })
  expect(agrees(boleto, { ...slip, barcode: other, digitableLine: digitableLineOf(other) })).toBe(false)
  expect(agrees(boleto, { ...slip, barcode: other })).toBe(false)
  expect(agrees(boleto, { ...slip, digitableLine: digitableLineOf(other) })).toBe(false)
  expect(agrees(boleto, { ...slip, amount: 9_981 })).toBe(false)
  expect(agrees(boleto, { ...slip, payerDocument: '12345678909' })).toBe(false)
  expect(agrees(boleto, { ...slip, documentNumber: '000043' })).toBe(false)
})

test('a slip whose number is another’s gets a new one, and one that nobody should pay is over', () => {
  const next = '12345670000000102'
  expect(renumbered(boletoIn('PENDING', MARKED), next, AT)).toEqual({
    ask: boletoIn('PENDING', { ...MARKED, ourNumber: next, version: 3, updatedAt: AT }),
  })
  const voided = boletoIn('CANCELLED', { ...MARKED, withdrawing: true })
  expect(renumbered(voided, next, AT)).toEqual({
    ask: boletoIn('CANCELLED', { ourNumber: next, askAt: null, version: 3, updatedAt: AT }),
    mark: { operationId: OPERATION, end: 'freed' },
  })
})

const KNOWN = { barcode: 'bars', digitableLine: 'digits', beneficiary: { name: 'Loja' } as Beneficiary }
const REGISTERED: Registration = { result: 'registered', slip: { ...KNOWN, amount: 9_980 } as BankSlip }
const MARKED = { operationId: OPERATION }

test('a registered slip is payable, answers its request, and is looked at after a day or after its end', () => {
  const early = AT - 3 * DAY_MS
  const decision = recordRegistration(boletoIn('PENDING', MARKED), REGISTERED, early)
  const changes = { ...KNOWN, askAt: early + DAY_MS, version: 3, updatedAt: early }
  expect(decision).toEqual({
    ask: boletoIn('REGISTERED', changes),
    mark: { operationId: OPERATION, end: 'answered' },
  })
  const late = AT + DAY_MS / 2
  expect(recordRegistration(boletoIn('PENDING'), REGISTERED, late)).toEqual({
    ask: boletoIn('REGISTERED', { ...KNOWN, askAt: OVER, version: 3, updatedAt: late }),
  })
})

test('a slip that was withdrawn or paid meanwhile stays so, with the bank’s data', () => {
  const before = boletoIn('CANCELLED', { ...MARKED, withdrawing: true })
  expect(recordRegistration(before, REGISTERED, AT)).toEqual({
    ask: boletoIn('CANCELLED', { ...KNOWN, withdrawing: true, version: 3, updatedAt: AT }),
    mark: { operationId: OPERATION, end: 'answered' },
  })
})

test.each(['unknown', 'duplicate'] as const)(
  'an answer that is %s answers the request and leaves the slip for the sweeper',
  (result) => {
    expect(recordRegistration(boletoIn('PENDING', MARKED), { result }, AT)).toEqual({
      ask: boletoIn('PENDING', { version: 3, updatedAt: AT }),
      mark: { operationId: OPERATION, end: 'answered' },
    })
    const unmarked = boletoIn('PENDING')
    expect(recordRegistration(unmarked, { result }, AT).ask).toBe(unmarked)
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
      ask: ended,
      mark: { operationId: OPERATION, end: 'freed' },
    })
    expect(recordRegistration(boletoIn('PENDING'), outcome, AT)).toEqual({ ask: ended })
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
  expect(first).toEqual({ ask: boletoIn('REGISTERED', { ...waiting, ...next(AT), version: 3 }) })
  const last = AT + WEEK_MS - 1
  expect(withoutAccount(first.ask, last)).toEqual({
    ask: boletoIn('REGISTERED', { ...waiting, ...next(last), version: 4 }),
  })
})

test.each<[AskStatus, Partial<Boleto>, AskStatus, Partial<Boleto>]>([
  ['PENDING', {}, 'REFUSED', { refusal: 'NO_ACCOUNT', askAt: null }],
  ['CANCELLED', { withdrawing: true }, 'CANCELLED', { askAt: null }],
  ['REGISTERED', {}, 'EXPIRED', { askAt: null }],
  ['REGISTERED', { payableUntil: '2026-12-31' }, 'REGISTERED', { askAt: AT + WEEK_MS + DAY_MS }],
])('after a week, a %s slip %j without an account is given up: %s', (status, changes, ended, after) => {
  const at = AT + WEEK_MS
  const before = boletoIn(status, { ...changes, accountGoneAt: AT })
  const expected = { ...changes, withdrawing: false, accountGoneAt: AT, ...after, version: 3, updatedAt: at }
  expect(withoutAccount(before, at)).toEqual({ ask: boletoIn(ended, expected) })
})

test('the key of a request whose slip was given up is free', () => {
  const { ask, mark } = withoutAccount(boletoIn('PENDING', { ...MARKED, accountGoneAt: AT - WEEK_MS }), AT)
  expect([ask.operationId, mark]).toEqual([null, { operationId: OPERATION, end: 'freed' }])
})

test('an account that is back is recorded once', () => {
  const without = boletoIn('REGISTERED', { accountGoneAt: AT })
  expect(withAccount(without, AT + 1)).toEqual(boletoIn('REGISTERED', { version: 3, updatedAt: AT + 1 }))
  const having = boletoIn('REGISTERED')
  expect(withAccount(having, AT + 1)).toBe(having)
})
