import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Charge, CaptureChargeRequest } from '@cofre/proto/orders/v1/orders'
import { requestCapture } from '../charge/capture'
import type { Deps } from '../deps'
import { runOperation } from '../acquirer/operation'
import { checkAmount } from '../charge/order-check'

export async function captureCharge(deps: Deps, request: CaptureChargeRequest): Promise<Replayable<Charge>> {
  const { sellerId, chargeId: id, amount } = request
  checkAmount(amount)
  return runOperation(deps, { sellerId, id }, (charge, terms) => requestCapture(charge, amount, terms))
}
