import type { Registration } from '../../src/bank/bank'
import type { Boleto } from '../../src/boleto/boleto'
import { BANK_DISAGREES, closedAtBank, recordRegistration } from '../../src/boleto/transition'

const AT = Date.parse('2026-11-24T15:00:00Z')
const OPERATION = '00000000-0000-4000-8000-000000000001'

/** Voided while its registration was under way. */
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

test('a slip that was paid with too little is looked at once more, and not withdrawn', () => {
  const registered = { ...WITHDRAWN, status: 'REGISTERED', withdrawing: false } as Boleto
  const closed = closedAtBank(registered, AT)
  expect(closed).toMatchObject({ status: 'CANCELLED', withdrawing: false, version: 3 })
  expect(closed.askAt).toBeGreaterThan(AT)
})
