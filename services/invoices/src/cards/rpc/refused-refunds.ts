import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type {
  CloseRefundRequest,
  ListRefusedRefundsRequest,
  ListRefusedRefundsResponse,
  RetryRefundRequest,
} from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import { closingNote } from '../../closing-note'
import type { Deps } from '../../deps'
import { closeRefund as close, retryRefund as retry } from '../refused-refund'
import { listRefused } from '../store/refused-refund-store'

const LISTED_MAX = 100

export async function listRefusedRefunds(
  { pool }: Deps,
  { sellerId }: ListRefusedRefundsRequest,
): Promise<ListRefusedRefundsResponse> {
  const found = await listRefused(pool, sellerId, LISTED_MAX + 1)
  const refunds = found.slice(0, LISTED_MAX).map(({ id, ...rest }) => ({ transactionId: id, ...rest }))
  return { refunds, more: found.length > LISTED_MAX }
}

export async function retryRefund(
  { pool, log }: Deps,
  { sellerId, transactionId }: RetryRefundRequest,
): Promise<Empty> {
  await retry(pool, { sellerId, id: transactionId }, now())
  log.warn({ sellerId, transactionId }, 'refused refund retried by hand')
  return {}
}

export async function closeRefund(
  deps: Deps,
  { sellerId, transactionId, ...request }: CloseRefundRequest,
): Promise<Empty> {
  const { note: reason, by } = closingNote(request)
  await close(deps, { sellerId, id: transactionId }, { reason, by, at: now() })
  deps.log.warn({ sellerId, transactionId, by, reason }, 'refused refund closed by hand')
  return {}
}
