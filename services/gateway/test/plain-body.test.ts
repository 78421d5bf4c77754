import { plainBody } from '../src/http/body/plain-body'

const token = { token: 'f3a1'.repeat(16) }
const plain = (body: unknown) =>
  plainBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))

test.each([
  [{ cardToken: token }],
  [{ customer: { name: 'João Conceição', document: '38657074000178' }, payments: [{ cardToken: token }] }],
  [{ networkToken: token, dueDate: 1_767_225_600_000 }],
  [[]],
])('the gateway reads a body without card data itself: %j', (body) => {
  expect(plain(body)).toEqual(body)
})

test.each([
  ['a card number by name', { card: { cardNumber: '4111' } }],
  ['a CVV', { cardToken: { ...token, cvv: '123' } }],
  ['a CVV in another spelling', { cardToken: { ...token, 'C-V_V 2': '123' } }],
  ['another name of the CVV', { cvc: '123' }],
  ['a security code', { security_code: '123' }],
  ['a cryptogram', { Cryptogram: 'x' }],
  ['an encrypted card', { card: { encryptedCard: 'e.n.c' } }],
  ['an encrypted CVV', { cardToken: { ...token, encryptedCvv: 'e.n.c' } }],
  ['a name behind an escape', '{"cardToken":{"\\u0063vv":"123"}}'],
  ['a card number where none belongs', { orderReference: '4111 1111 1111 1111' }],
  ['a card number that is a number', { amount: 4_111_111_111_111_111 }],
  ['a card number with an exponent', '{"amount":4.111111111111111e15}'],
  ['a card number in a name', { '4111111111111111': 1 }],
  ['what is not JSON', '{"cardToken":'],
  ['what is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
])('a body with %s goes to the vault', (_what, body) => {
  expect(Buffer.isBuffer(body) ? plainBody(body) : plain(body)).toBeUndefined()
})
