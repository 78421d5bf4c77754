import type { GetPaymentRequest, VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'
import { toMessage } from '../payment-store/payment-message'
import { readPayment } from '../payment-store/payment-store'

export async function getPayment(
  { pool }: Deps,
  { sellerId, paymentId: id }: GetPaymentRequest,
): Promise<VoucherPayment> {
  const { payment } = await readPayment(pool, { sellerId, id })
  return toMessage(payment)
}
