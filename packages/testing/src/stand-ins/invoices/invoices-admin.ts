import { notFound } from '@cofre/platform/errors'
import type { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import type {
  CloseReceiptRequest,
  RefusedRefund,
  RetryRefundRequest,
} from '@cofre/proto/invoices/v1/invoices'

const CLOSED_AT = 1_767_225_600_000

/** The administration of invoices by cofrectl, in memory. A test puts money into its lists. */
export function createInvoicesAdmin() {
  const receipts: UnexpectedReceipt[] = []
  const refunds: RefusedRefund[] = []
  const find = ({ sellerId, transactionId }: Pick<RetryRefundRequest, 'sellerId' | 'transactionId'>) => {
    const found = refunds.some((one) => one.sellerId === sellerId && one.transactionId === transactionId)
    if (!found) throw notFound('There is no such payment.')
    return {}
  }
  const answers = {
    listWaitingReceipts: async () => ({ receipts, more: false }),
    closeReceipt: async ({ receiptId, reason, closedBy }: CloseReceiptRequest) => {
      const receipt = receipts.find(({ id }) => id === receiptId)
      if (!receipt) throw notFound('There is no such receipt.')
      return { ...receipt, resolution: reason, resolvedBy: closedBy, resolvedAt: CLOSED_AT }
    },
    listRefusedRefunds: async () => ({ refunds, more: false }),
    retryRefund: async (request: RetryRefundRequest) => find(request),
    closeRefund: async (request: RetryRefundRequest) => find(request),
  }
  return { answers, receipts, refunds }
}
