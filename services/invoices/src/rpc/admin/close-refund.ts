import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { CloseRefundRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { closeRefund as close } from '../../payments/refused-refund'
import { closingNote } from './closing-note'

export async function closeRefund(
  deps: Deps,
  { sellerId, transactionId, ...request }: CloseRefundRequest,
): Promise<Empty> {
  const { note: reason, by } = closingNote(request)
  await close(deps, { sellerId, id: transactionId }, { reason, by, at: now() })
  deps.log.warn({ sellerId, transactionId, by, reason }, 'refused refund closed by hand')
  return {}
}
