import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { RetryRefundRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { retryRefund as retry } from '../../payments/refused-refund'

export async function retryRefund(
  { pool, log }: Deps,
  { sellerId, transactionId }: RetryRefundRequest,
): Promise<Empty> {
  await retry(pool, { sellerId, id: transactionId }, now())
  log.warn({ sellerId, transactionId }, 'refused refund retried by hand')
  return {}
}
