import type {
  ListUnexpectedReceiptsRequest,
  ListUnexpectedReceiptsResponse,
} from '@cofre/proto/invoices/v1/boletos'
import type { Deps } from '../../deps'
import { receiptMessage } from '../../receipts/receipt-message'
import { listUnexpected } from '../../receipts/receipt-store'
import { checkPage } from '../request-check'

export async function listUnexpectedReceipts(
  { pool }: Deps,
  { sellerId, resolved, page, size, after }: ListUnexpectedReceiptsRequest,
): Promise<ListUnexpectedReceiptsResponse> {
  checkPage({ page, size })
  const { entries, ...end } = await listUnexpected(pool, { sellerId, resolved }, { page, size, after })
  return { receipts: entries.map(receiptMessage), ...end }
}
