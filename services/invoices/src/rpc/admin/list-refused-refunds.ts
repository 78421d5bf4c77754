import type { ListRefusedRefundsRequest, ListRefusedRefundsResponse } from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../../deps'
import { listRefused } from '../../payment-store/refused-refund-store'

const LISTED_MAX = 100

export async function listRefusedRefunds(
  { pool }: Deps,
  { sellerId }: ListRefusedRefundsRequest,
): Promise<ListRefusedRefundsResponse> {
  const found = await listRefused(pool, sellerId, LISTED_MAX + 1)
  const refunds = found.slice(0, LISTED_MAX).map(({ id, ...rest }) => ({ transactionId: id, ...rest }))
  return { refunds, more: found.length > LISTED_MAX }
}
