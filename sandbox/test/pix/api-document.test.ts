import { faultsOf, webhookFaults } from './api-document'
import { cobv, KEY, txid } from './pix-bank'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const pix = { endToEndId: `E${'0'.repeat(31)}`, valor: '1.00', horario: '2049-01-01T00:00:00Z' }
const answered = (change: object) => ({
  method: 'GET',
  path: '/pix/E1',
  answer: { status: 200, headers: JSON_TYPE, body: { ...pix, ...change } },
})

test('a right answer has no fault', () => {
  expect(faultsOf(answered({ chave: KEY, pagador: { cpf: '12345678909', nome: 'Ana' } }), false)).toEqual([])
})

test.each([
  ['an unknown member', answered({ surpresa: 1 }), '/surpresa is unknown'],
  ['an unknown member in a list', answered({ devolucoes: [{ novo: 1 }] }), '/devolucoes/0/novo is unknown'],
  ['a missing member', answered({ valor: undefined }), "must have required property 'valor'"],
  ['a wrong pattern', answered({ valor: '1.000' }), '/valor must match pattern'],
  ['a wrong status', { ...answered({}), answer: { status: 202, headers: JSON_TYPE, body: pix } }, '202'],
  ['a wrong type', { ...answered({}), answer: { status: 404, headers: JSON_TYPE, body: {} } }, 'of type'],
  ['an unknown path', { ...answered({}), path: '/nothing/of/this' }, 'the document has no GET'],
])('%s of an answer is found', (_what, exchange, fault) => {
  expect(faultsOf(exchange, false).join()).toContain(fault)
})

test('a wrong request is found, unless it is wrong on purpose', () => {
  const body = cobv({ devedor: { cpf: '123', nome: 'Ana' } })
  const problem = { type: 'https://example.com', title: 'x', status: 400 }
  const answer = { status: 400, headers: { 'content-type': 'application/problem+json' }, body: problem }
  const exchange = { method: 'PUT', path: `/cobv/${txid(1)}`, body, answer }
  expect(faultsOf(exchange, false).join()).toContain('request: /devedor/cpf must match pattern')
  expect(faultsOf(exchange, true)).toEqual([])
})

test('a wrong webhook call is found', () => {
  expect(webhookFaults('WebhookPixBody', { pix: [pix] })).toEqual([])
  expect(webhookFaults('WebhookPixBody', { pix: [{ ...pix, novo: 1 }] })).toEqual(['/pix/0/novo is unknown'])
})
