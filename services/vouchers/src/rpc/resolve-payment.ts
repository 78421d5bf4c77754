import { databaseNow } from '@cofre/platform/service/database-clock'
import { maskVoucherNumbersIn } from '@cofre/platform/card/card-number'
import type { ResolvePaymentRequest, VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'
import { closeByHand } from '../payment/close-by-hand'
import { updatePayment } from '../payment-store/payment-store'
import { fault, throwFaults } from './request-check'

const REASON_MAX = 2_000
const NAME_MAX = 100

export async function resolvePayment(
  { pool, log }: Deps,
  { sellerId, paymentId, succeeded, reason: given, resolvedBy }: ResolvePaymentRequest,
): Promise<VoucherPayment> {
  const isReason = given.trim() !== '' && given.length <= REASON_MAX
  const isName = resolvedBy.trim() !== '' && resolvedBy.length <= NAME_MAX
  throwFaults([
    ...(isReason ? [] : [fault('#/reason', 'LENGTH', `must have 1 to ${REASON_MAX} characters`)]),
    ...(isName ? [] : [fault('#/resolvedBy', 'LENGTH', `must have 1 to ${NAME_MAX} characters`)]),
  ])
  const by = maskVoucherNumbersIn(resolvedBy.trim())
  const reason = maskVoucherNumbersIn(given)
  const { message } = await updatePayment(pool, { sellerId, id: paymentId }, (payment) =>
    closeByHand(payment, { happened: succeeded, by, reason }, databaseNow()),
  )
  log.warn({ paymentId, succeeded, by, reason }, 'voucher operation closed by hand')
  return message
}
