import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Deps } from '../deps'
import type { Found } from '../issuer/issuer'
import type { Payment } from '../payment/payment'

/** Asks the issuer about a payment, by our order number. */
export async function findPayment({ issuers, rules }: Deps, payment: Payment): Promise<Found> {
  const { brand, sellerId, account, operation } = payment
  const dispatch = {
    sellerId,
    account,
    deadline: databaseNow() + rules.issuerTimeoutMs,
    requestId: operation?.id ?? payment.orderNumber,
  }
  return issuers.get(brand)?.find(payment, dispatch) ?? { result: 'unknown' }
}
