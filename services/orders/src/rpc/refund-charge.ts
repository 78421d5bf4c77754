import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Charge, RefundChargeRequest } from '@cofre/proto/orders/v1/orders'
import type { Deps } from '../deps'
import { runOperation } from '../acquirer/operation'
import { checkAmount, fault, throwFaults } from '../charge/order-check'
import { requestRefund } from '../charge/refund'

const REASON_MAX = 2_000

export async function refundCharge(deps: Deps, request: RefundChargeRequest): Promise<Replayable<Charge>> {
  const { sellerId, chargeId: id, amount, reason = null } = request
  checkAmount(amount)
  if (reason !== null && reason.length > REASON_MAX)
    throwFaults([fault('#/reason', 'MAX', `must be at most ${REASON_MAX} characters`)])
  return runOperation(deps, { sellerId, id }, (charge, terms) =>
    requestRefund(charge, { amount, reason }, terms),
  )
}
