import type { Replayable } from '@cofre/platform/grpc/replayable'
import { Invoice, type GetInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../../deps'
import { toMessage } from '../../invoice-store/invoice-message'
import { changeInvoice } from './change-invoice'

export function voidInvoice(deps: Deps, request: GetInvoiceRequest): Promise<Replayable<Invoice>> {
  return changeInvoice(deps, request, 'void', { message: Invoice, of: toMessage })
}
