import type { Replayable } from '@cofre/platform/grpc/replayable'
import { InvoiceCharge, type GetInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/invoice'
import { chargeMessage } from '../../invoice-store/invoice-message'
import { changeInvoice } from './change-invoice'

export function finalizeInvoice(deps: Deps, request: GetInvoiceRequest): Promise<Replayable<InvoiceCharge>> {
  return changeInvoice(deps, request, 'finalize', { message: InvoiceCharge, of: madeCharge })
}

function madeCharge({ charge, transactions }: WholeInvoice): InvoiceCharge {
  if (!charge) throw new Error('a finalized invoice has no charge')
  return chargeMessage(charge, transactions)
}
