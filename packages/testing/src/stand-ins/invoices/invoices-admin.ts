import { notFound } from '@cofre/platform/errors'
import type { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import type {
  CloseReceiptRequest,
  RaiseBoletoNumbersRequest,
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
    raiseBoletoNumbers: async ({ firstNumber }: RaiseBoletoNumbersRequest) => ({ nextNumber: firstNumber }),
    closeRefund: async (request: RetryRefundRequest) => find(request),
    registerPixWebhook: async () => {
      const after = 'https://pay.example.com/partners/pix/…'
      return { account: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906', before: 'NONE', after }
    },
  }
  return { answers, receipts, refunds }
}
