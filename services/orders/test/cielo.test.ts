import {
  captureOutcome,
  foundPayment,
  saleOutcome,
  verificationOutcome,
  voidOutcome,
} from '../src/cielo/cielo-answers'
import { readOrder } from '../src/cielo/cielo-messages'
import type { Sale } from '../src/acquirer/acquirer'
import { plainName, saleBody } from '../src/cielo/cielo-sale'
import { pendingCharge } from './rules/charges'

const answer = (status: number, body: unknown) => ({
  status,
  body: Buffer.from(body === '' ? '' : JSON.stringify(body)),
})
const sale = (Status: unknown, rest: object = {}) =>
  answer(201, { Payment: { Status, PaymentId: 'p', ...rest } })

test.each([
  [sale(1, { ReturnCode: '4' }), 'approved'],
  [sale(2, { ReturnCode: 6 }), 'approved'],
  [sale('1', { ReturnCode: '57', NewField: {} }), 'approved'],
  [sale(3, { ReturnCode: '51' }), 'declined'],
  [sale(13), 'refused'],
  [sale(10), 'refused'],
  [sale(0), 'unknown'],
  [sale(12), 'unknown'],
  [sale(3, { ReturnCode: '98' }), 'unknown'],
  [sale(3, { ReturnCode: 'BP901' }), 'unknown'],
  [answer(500, { Payment: { Status: 3 } }), 'unknown'],
  [answer(201, { nothing: true }), 'unknown'],
  [{ status: 201, body: Buffer.from('<html>') }, 'unknown'],
  [answer(302, {}), 'unknown'],
  [answer(408, {}), 'unknown'],
  [answer(400, [{ Code: 126, Message: '…' }]), 'declined'],
  [answer(400, [{ Code: '114' }]), 'refused'],
  [answer(401, ''), 'not_sent'],
  [answer(429, ''), 'not_sent'],
  [answer(404, ''), 'refused'],
])('a sale answered %j is %s', (given, result) => {
  expect(saleOutcome(given).result).toBe(result)
})

test.each([
  [answer(200, { Valid: true, ReturnCode: '00' }), 'approved'],
  [answer(201, { Valid: 'true', ReturnCode: '00' }), 'approved'],
  [answer(200, { Valid: false, ReturnCode: '57' }), 'declined'],
  [answer(400, { Code: 57, Message: 'Bandeira inválida' }), 'refused'],
  [answer(500, ''), 'unknown'],
])('a verification answered %j is %s', (given, result) => {
  expect(verificationOutcome(given).result).toBe(result)
})

test.each([
  [answer(200, { Status: 2, ReturnCode: '6' }), 'done'],
  [answer(200, { Status: 1, ReturnCode: '842' }), 'refused'],
  [answer(200, { Status: 1, ReturnCode: '999' }), 'unknown'],
  [answer(400, [{ Code: 308 }]), 'gone'],
  [answer(200, { Status: 1, ReturnCode: '841' }), 'gone'],
  [answer(404, ''), 'refused'],
  [answer(503, ''), 'unknown'],
  [answer(200, {}), 'unknown'],
])('a capture answered %j is %s', (given, result) => {
  expect(captureOutcome(given).result).toBe(result)
})

test.each([
  [answer(200, { Status: 10, ReturnCode: '9' }), 'done'],
  [answer(200, { Status: 11, ReturnCode: '0' }), 'done'],
  [answer(200, { Status: 2, ReturnCode: '0' }), 'done'],
  [answer(200, { Status: 2, ReturnCode: '00' }), 'done'],
  [answer(200, { Status: 2, ReturnCode: 'FF' }), 'done'],
  [answer(200, { Status: 2, ReturnCode: '223' }), 'busy'],
  [answer(200, { Status: 1, ReturnCode: '10' }), 'unknown'],
  [answer(400, [{ Code: 223 }]), 'busy'],
  [answer(400, [{ Code: 98 }]), 'unknown'],
  [answer(200, { Status: 2, ReturnCode: 'BP903' }), 'unknown'],
  [answer(200, { Status: 1, ReturnCode: '40' }), 'gone'],
  [answer(400, [{ Code: 309 }]), 'gone'],
  [answer(200, { Status: 2, ReturnCode: '43' }), 'refused'],
  [answer(400, [{ Code: 311 }]), 'refused'],
  [answer(200, { Status: 2, ReturnCode: '98' }), 'unknown'],
  [answer(200, { Status: 12, ReturnCode: '0' }), 'unknown'],
  [answer(502, ''), 'unknown'],
])('a void answered %j is %s', (given, result) => {
  expect(voidOutcome(given).result).toBe(result)
})

test.each([
  [answer(404, ''), { result: 'absent' }],
  [answer(404, [{ Code: 307 }]), { result: 'absent' }],
  [answer(404, { message: 'no such route' }), { result: 'unknown' }],
  [answer(200, { Payment: { Status: 3, ReturnCode: 'BP900' } }), { state: 'unsure' }],
  [answer(200, { Payment: { Status: 13, ReturnCode: 'BP900' } }), { state: 'unsure' }],
  [answer(200, { Payment: { Status: 13, ReturnCode: '57' } }), { state: 'aborted' }],
  [answer(200, { Payment: { Status: 2, Amount: 900, CapturedAmount: null } }), { capturedAmount: 900 }],
  [answer(400, [{ Code: 303 }]), { result: 'absent' }],
  [answer(500, ''), { result: 'unknown' }],
  [answer(401, ''), { result: 'unknown' }],
  [answer(200, { Payment: { Status: 11, VoidedAmount: 500 } }), { state: 'voided', voidedAmount: 500 }],
  [answer(200, { Payment: { Status: 2, Amount: 900 } }), { state: 'captured', capturedAmount: 900 }],
])('a query answered %j says %j', (given, found) => {
  expect(foundPayment(given)).toMatchObject(found)
})

test('the payments of an order are read in each of their spellings', () => {
  const ids = [{ PaymentId: 'a', ReceveidDate: '…' }]
  for (const body of [{ Payment: ids }, { Payments: ids }, { Payment: ids[0] }]) {
    expect(readOrder(Buffer.from(JSON.stringify(body)))).toEqual(['a'])
  }
})

test('an answer without a list proves nothing about an order', () => {
  expect(readOrder(Buffer.from('{"message":"maintenance"}'))).toBeUndefined()
  expect(readOrder(Buffer.from('{"Payments":[]}'))).toEqual([])
})

test('an answer without a payment id, or for an order that exists already, is unknown', () => {
  expect(saleOutcome(answer(201, { Payment: { Status: 1, ReturnCode: '4' } })).result).toBe('unknown')
  expect(saleOutcome(answer(400, [{ Code: 302 }])).result).toBe('unknown')
})

test.each([
  ['Ana Conceição de Souza', 'Ana Conceicao de Souza'],
  ["  João D'Ávila-Neto 3º ", 'Joao D Avila Neto'],
  ['Maximiliano Bartholomeu Cavalcanti', 'Maximiliano Bartholomeu C'],
  ['李雷', ''],
])('%s is written %s', (name, plain) => {
  expect(plainName(name)).toBe(plain)
})

describe('the party that began a payment with a stored card', () => {
  const kept = { ...pendingCharge(100).payments[0]!.card, brand: 'MASTERCARD', source: 'CARD_TOKEN' as const }
  const told = (card: Sale['card'], merchantInitiated: boolean) => {
    const customer = { name: 'Ana Souza', document: '12345678909', email: '', birthdate: '' }
    const terms = { orderNumber: 'N', amount: 100, installments: 1, capture: true }
    const body = saleBody({ ...terms, card, merchantInitiated, customer })
    return (body as { Payment: Record<string, unknown> }).Payment['InitiatedTransactionIndicator']
  }

  test.each([
    ['its holder', kept, false, 'C1'],
    ['the seller', kept, true, 'M1'],
    ['the seller, by its network token', { ...kept, source: 'NETWORK_TOKEN' as const }, true, 'M1'],
  ])('is reported to Mastercard: %s', (_, card, merchantInitiated, category) => {
    expect(told(card, merchantInitiated)).toEqual({ Category: category, Subcategory: 'CredentialsOnFile' })
  })

  test.each([
    ['another brand', { ...kept, brand: 'VISA' }, true],
    ['a card that was typed in', { ...kept, source: 'CARD' as const }, false],
    ['a network token that its holder pays with', { ...kept, source: 'NETWORK_TOKEN' as const }, false],
  ])('is not reported for %s', (_, card, merchantInitiated) => {
    expect(told(card, merchantInitiated)).toBeUndefined()
  })
})
