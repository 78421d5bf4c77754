import {
  captureOutcome,
  foundPayment,
  saleOutcome,
  verificationOutcome,
  voidOutcome,
} from '../src/cielo/cielo-answers'
import { readOrder } from '../src/cielo/cielo-messages'
import { saleBody } from '../src/cielo/cielo-sale'
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
  ['ana@example.com', 'ana@example.com'],
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ['ana@exämple.com', 'ana@xn--exmple-cua.com'],
  ['josé@exemplo.com.br', undefined],
  ['李@例子.公司', undefined],
  ['', undefined],
])('the payer’s e-mail address %j reaches the acquirer as %j', (email, sent) => {
  const [{ card } = { card: undefined }] = pendingCharge(100).payments
  const customer = { name: 'Ana Souza', document: '12345678909', email, birthdate: '' }
  const terms = { orderNumber: 'N', amount: 100, installments: 1, capture: true, credential: undefined }
  const softDescriptor = ''
  const body = saleBody({ ...terms, card: card!, brandIsGuess: false, customer, softDescriptor }) as {
    Customer: Record<string, unknown>
  }
  expect(body.Customer['Email']).toBe(sent)
})

test.each([
  ['LOJA DA ANA', 'LOJA DA ANA'],
  ['Ateliê & Café 24h', 'Atelie Cafe 2'],
  ['***', undefined],
  ['', undefined],
])('the text %j on the card statement reaches the acquirer as %j', (softDescriptor, sent) => {
  const [{ card } = { card: undefined }] = pendingCharge(100).payments
  const customer = { name: 'Ana Souza', document: '12345678909', email: '', birthdate: '' }
  const terms = { orderNumber: 'N', amount: 100, installments: 1, capture: true, credential: undefined }
  const body = saleBody({ ...terms, card: card!, brandIsGuess: false, customer, softDescriptor }) as {
    Payment: Record<string, unknown>
  }
  expect(body.Payment['SoftDescriptor']).toBe(sent)
})
