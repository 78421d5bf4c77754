import { callRpc } from '@cofre/platform/grpc/client'
import { VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { authorized, payWith } from '../support/redirect'
import { passDeadlines } from '../support/resolving'
import { startVouchers, type TestVouchers } from '../support/start-vouchers'
import { cancel } from '../support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterAll(() => vouchers.stop())

const { CANCELED, PAID } = VoucherPaymentStatus

/** A payment whose answer was lost, and that people closed as paid. */
async function closedByHand() {
  vouchers.issuer.fail('pay', 'answer_lost')
  const payment = await payWith(vouchers, await authorized(vouchers))
  await passDeadlines(vouchers, payment)
  const { admin } = vouchers
  const why = { succeeded: true, reason: 'The issuer’s support says so.', resolvedBy: 'ana' }
  const { sellerId, id: paymentId } = payment
  return callRpc(admin, admin.resolvePayment, { sellerId, paymentId, ...why })
}

test('a payment by redirect is canceled', async () => {
  const payment = await payWith(vouchers, await authorized(vouchers))
  expect(await cancel(vouchers, payment)).toMatchObject({ status: CANCELED })
  expect(vouchers.issuer.paymentOf(payment).state).toBe('canceled')
})

test('a payment by redirect that people closed as paid is found by our order number, and canceled', async () => {
  const payment = await closedByHand()
  expect(payment.status).toBe(PAID)
  expect(await cancel(vouchers, payment)).toMatchObject({ status: CANCELED })
  expect(vouchers.issuer.paymentOf(payment).state).toBe('canceled')
})

test('a payment that the issuer does not know is not canceled, and can be canceled once it does', async () => {
  const payment = await closedByHand()
  vouchers.issuer.fail('query', { status: 404, body: { errors: [{ code: 'not_found' }] } })
  await expect(cancel(vouchers, payment)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await cancel(vouchers, payment)).toMatchObject({ status: CANCELED })
})
