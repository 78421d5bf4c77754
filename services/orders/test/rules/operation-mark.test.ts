import { NO_MARKS } from '@cofre/platform/idempotency/mark'
import { requestCapture } from '../../src/charge/capture'
import { answered, endedMarks, freed } from '../../src/charge/operation-mark'
import { recordOutcomes, type Outcomes } from '../../src/charge/operation-outcome'
import type { Charge } from '../../src/charge/charge'
import { recordAuthorization } from '../../src/charge/authorization'
import { expire } from '../../src/charge/release'
import { PAUSE_MS, authorizedCharge, pendingCharge, REFERENCE, TERMS } from './charges'

const key = { key: 'k', method: 'POST', path: '/p', fingerprint: 'f' } as never
const CAPTURE = { ...TERMS, operationId: 'capture' }
const capturing = (...amounts: number[]) =>
  requestCapture(authorizedCharge(...amounts), undefined, CAPTURE).charge
const record = (charge: Charge, outcomes: [number, 'done' | 'not_sent' | 'refused' | 'unknown'][]) =>
  recordOutcomes(
    charge,
    new Map(outcomes.map(([id, result]) => [id, { result, code: '' }])) as Outcomes,
    1_200,
    PAUSE_MS,
  ).charge

test('the mark of a request with a key is answered or freed; a request without a key has none', () => {
  const mark = { sellerId: 1, operationId: 'o', key }
  expect(answered(mark)).toEqual({ answered: ['o'], freed: [] })
  expect(freed(mark)).toEqual({ answered: [], freed: ['o'] })
  expect(answered({ ...mark, key: undefined })).toEqual({ answered: [], freed: [] })
  expect(freed({ ...mark, key: undefined })).toEqual({ answered: [], freed: [] })
  expect(NO_MARKS).toEqual({ answered: [], freed: [] })
})

test('an operation that ended is answered if it had an effect, and freed if it had none', () => {
  const before = capturing(100)
  expect(endedMarks(before, record(before, [[2, 'done']]))).toEqual({ answered: ['capture'], freed: [] })
  expect(endedMarks(before, record(before, [[2, 'refused']]))).toEqual({ answered: [], freed: ['capture'] })
})

test('an operation on two payments ends with the last of them, and one success is enough', () => {
  const before = capturing(60, 40)
  const half = record(before, [
    [3, 'refused'],
    [4, 'unknown'],
  ])
  expect(endedMarks(before, half)).toEqual(NO_MARKS)
  expect(endedMarks(half, record(half, [[4, 'done']]))).toEqual({ answered: ['capture'], freed: [] })
  expect(endedMarks(half, record(half, [[4, 'refused']]))).toEqual({ answered: [], freed: ['capture'] })
})

test('a decline is an answer, though its authorization failed', () => {
  const before = pendingCharge(100)
  const terms = { at: 1_200, deadline: 1_200, firstAskAt: 1_200 }
  const declined = { result: 'declined', code: '51', adviceCode: '', reference: REFERENCE } as const
  const after = recordAuthorization(before, 0, declined, terms).charge
  expect(endedMarks(before, after)).toEqual({ answered: ['operation'], freed: [] })
  const unsent = recordAuthorization(before, 0, { result: 'not_sent' }, terms).charge
  expect(endedMarks(before, unsent)).toEqual({ answered: [], freed: ['operation'] })
})

test('an operation that had ended before, or is the service’s own, ends no request', () => {
  const before = authorizedCharge(100)
  const expiring = expire(before, { ...TERMS, operationId: 'expiry' }).charge
  expect(endedMarks(before, expiring)).toEqual(NO_MARKS)
  expect(endedMarks(expiring, record(expiring, [[2, 'done']]))).toEqual(NO_MARKS)
  const captured = record(capturing(100), [[2, 'done']])
  expect(endedMarks(captured, captured)).toEqual(NO_MARKS)
})
