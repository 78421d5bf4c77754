import type {
  ListWaitingReceiptsRequest,
  ListWaitingReceiptsResponse,
} from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../../deps'
import { receiptMessage } from '../../receipts/receipt-message'
import { listWaiting } from '../../receipts/receipt-store'

const LISTED_MAX = 100

export async function listWaitingReceipts(
  { pool }: Deps,
  { sellerId }: ListWaitingReceiptsRequest,
): Promise<ListWaitingReceiptsResponse> {
  const found = await listWaiting(pool, sellerId, LISTED_MAX + 1)
  return { receipts: found.slice(0, LISTED_MAX).map(receiptMessage), more: found.length > LISTED_MAX }
}
