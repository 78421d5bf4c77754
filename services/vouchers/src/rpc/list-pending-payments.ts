import { pendingTooLongBefore } from '@cofre/platform/operation/terms'
import type {
  ListPendingPaymentsRequest,
  ListPendingPaymentsResponse,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'
import { toMessage } from '../payment-store/payment-message'
import { listPendingTooLong } from '../payment-store/payment-schedule-store'

const LISTED_MAX = 100

export async function listPendingPayments(
  { pool, rules }: Deps,
  { sellerId }: ListPendingPaymentsRequest,
): Promise<ListPendingPaymentsResponse> {
  const before = pendingTooLongBefore(rules)
  const found = await listPendingTooLong(pool, { before, sellerId, limit: LISTED_MAX + 1 })
  return { payments: found.slice(0, LISTED_MAX).map(toMessage), more: found.length > LISTED_MAX }
}
