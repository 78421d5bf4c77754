import { VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { resolved } from './support/resolving'
import { DECLINED, newToken, pay, paymentWith } from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterAll(() => vouchers.stop())

const { DENIED } = VoucherPaymentStatus
const CASES = [
  ['ALELO', '05', 'DO_NOT_HONOR', true, 'TRY_LATER'],
  ['ALELO', '51', 'INSUFFICIENT_FUNDS', true, 'TRY_LATER'],
  ['ALELO', '54', 'EXPIRED_CARD', false, 'FIX_DATA'],
  ['ALELO', '57', 'TRANSACTION_NOT_ALLOWED', false, 'USE_ANOTHER_CARD'],
  ['ALELO', '63', 'SECURITY_VIOLATION', false, 'FIX_DATA'],
  ['ALELO', '70', 'INVALID_CARD', false, 'USE_ANOTHER_CARD'],
  ['ALELO', '77', 'CARD_CANCELED', false, 'USE_ANOTHER_CARD'],
  ['ALELO', '78', 'CARD_NOT_UNLOCKED', true, 'TRY_LATER'],
  ['ALELO', '91', 'ISSUER_UNAVAILABLE', true, 'TRY_LATER'],
  ['ALELO', '99', 'ISSUER_UNAVAILABLE', true, 'TRY_LATER'],
  ['ALELO', 'Z9', 'GENERIC_DECLINE', false, 'USE_ANOTHER_CARD'],
  ['VR', '100', 'DO_NOT_HONOR', true, 'TRY_LATER'],
  ['VR', '101', 'EXPIRED_CARD', false, 'FIX_DATA'],
  ['VR', '105', 'CARD_CANCELED', false, 'USE_ANOTHER_CARD'],
  ['VR', '112', 'CARD_NOT_UNLOCKED', true, 'TRY_LATER'],
  ['VR', '116', 'INSUFFICIENT_FUNDS', true, 'TRY_LATER'],
  ['VR', '118', 'INVALID_CARD', false, 'USE_ANOTHER_CARD'],
  ['VR', '119', 'TRANSACTION_NOT_ALLOWED', false, 'USE_ANOTHER_CARD'],
  ['VR', '122', 'SECURITY_VIOLATION', false, 'FIX_DATA'],
  ['VR', '907', 'ISSUER_UNAVAILABLE', true, 'TRY_LATER'],
  ['VR', '911', 'ISSUER_UNAVAILABLE', true, 'TRY_LATER'],
  ['VR', '9', 'GENERIC_DECLINE', false, 'USE_ANOTHER_CARD'],
] as const

test.each(CASES)(
  '%s %s is %s, in the first answer or when asked about later',
  async (brand, issuerCode, code, retryable, advice) => {
    vouchers.issuer.declines.set('0002', issuerCode)
    const token = await newToken(vouchers, newSeller(vouchers), brand, DECLINED[brand])
    const decline = { code, issuerCode, retryable, advice, message: expect.stringMatching(/^[A-Z].*\.$/) }
    expect(await pay(vouchers, paymentWith(token))).toMatchObject({ status: DENIED, decline })
    vouchers.issuer.fail('pay', 'answer_lost')
    const lost = await pay(vouchers, paymentWith(token))
    expect(await resolved(vouchers, lost, ({ status }) => expect(status).toBe(DENIED))).toMatchObject({
      decline,
    })
  },
)
