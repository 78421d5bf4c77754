import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { Deps } from '../../deps'
import { payByCard as pay } from '../pay-by-card'
import { checkPayment } from './payment-request'

export async function payByCard(deps: Deps, request: PayByCardRequest): Promise<Replayable<InvoiceCharge>> {
  checkPayment(request)
  return pay(deps, request)
}
