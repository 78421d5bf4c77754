import { authorize, capture, type Payment, voidPayment } from '../src/acquirer/payment'
import { credentialMarks } from '../src/acquirer/stored-credential'

const DAY_MS = 86_400_000
const sale = {
  merchantOrderId: 'A1',
  customer: { name: 'Ana' },
  amount: 10_000,
  installments: 1,
  interest: 'ByMerchant',
  capture: false,
  credential: credentialMarks({}),
  card: { maskedNumber: '411111******1111', holder: 'ANA', expirationDate: '08/2049', brand: 'Visa' },
}
const ids = {
  paymentId: 'p',
  merchantId: 'm',
  acquirerOrderId: 'A1',
  tid: '1',
  proofOfSale: '2',
  authorizationCode: '3',
  issuerTransactionId: '4',
}

function authorized(): Payment {
  return authorize(sale, { approved: true, answerLost: false }, ids, 0)
}

test('the capture window includes its last millisecond', () => {
  expect(capture(authorized(), undefined, 7 * DAY_MS, 7 * DAY_MS).status).toBe(2)
  expect(() => capture(authorized(), undefined, 7 * DAY_MS + 1, 7 * DAY_MS)).toThrow('308')
})

test('a second void within the spacing is refused with 223, a later one is done', () => {
  const captured = capture(authorized(), undefined, 0, DAY_MS)
  const once = voidPayment(captured, 1000, { at: 1000, sameDay: true }, 5000)
  expect(once.done).toBe(true)
  const soon = voidPayment(once.payment, 1000, { at: 5999, sameDay: true }, 5000)
  expect(soon).toEqual({ payment: once.payment, done: false, returnCode: '223', message: expect.any(String) })
  expect(voidPayment(once.payment, 1000, { at: 6000, sameDay: true }, 5000).payment.voidedAmount).toBe(2000)
})

test('a void on a later day ends in Refunded', () => {
  expect(voidPayment(authorized(), undefined, { at: DAY_MS, sameDay: false }, 0).payment.status).toBe(11)
})
