import { pendingTooLongBefore } from '@cofre/platform/operation/terms'
import {
  TransactionType,
  type ListPendingTransactionsRequest,
  type ListPendingTransactionsResponse,
} from '@cofre/proto/orders/v1/orders'
import { listPendingTooLong } from '../charge-store/pending-transaction-store'
import type { Deps } from '../deps'

const LISTED_MAX = 100

export async function listPendingTransactions(
  { pool, rules }: Deps,
  { sellerId }: ListPendingTransactionsRequest,
): Promise<ListPendingTransactionsResponse> {
  const before = pendingTooLongBefore(rules)
  const found = await listPendingTooLong(pool, { before, sellerId, limit: LISTED_MAX + 1 })
  const transactions = found
    .slice(0, LISTED_MAX)
    .map(({ type, ...rest }) => ({ ...rest, type: TransactionType[type] }))
  return { transactions, more: found.length > LISTED_MAX }
}
