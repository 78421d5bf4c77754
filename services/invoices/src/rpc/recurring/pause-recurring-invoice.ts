import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { GetRecurringInvoiceRequest, RecurringInvoice } from '@cofre/proto/invoices/v1/recurring'
import type { Deps } from '../../deps'
import { changeRecurringInvoice } from './change-recurring-invoice'

export function pauseRecurringInvoice(
  deps: Deps,
  request: GetRecurringInvoiceRequest,
): Promise<Replayable<RecurringInvoice>> {
  return changeRecurringInvoice(deps, request, 'pause')
}
