import { notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  PixRefund,
  type ListPixRefundsRequest,
  type ListPixRefundsResponse,
  type ReadPixRefundRequest,
  type RefundPixRequest,
} from '@cofre/proto/invoices/v1/pix'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { refundMessage } from '../../pix/store/pix-refund-message'
import { refundsOf } from '../../pix/store/pix-refund-store'
import { throwFaults } from '../../request-check'
import { wordFaults } from '../money-request'
import { beginInvoiceRefund } from '../pix-refunds/begin-refund'
import { refundOnce } from '../pix-refunds/send-refund'

export function refundPix(deps: Deps, request: RefundPixRequest): Promise<Replayable<PixRefund>> {
  const { sellerId, reason: note } = request
  throwFaults(wordFaults({ note }).map((each) => ({ ...each, pointer: '#/reason' })))
  return refundOnce(deps, sellerId, PixRefund, (tx, operationId) =>
    beginInvoiceRefund(deps, tx, request, operationId),
  )
}

export async function readPixRefund({ pool }: Deps, request: ReadPixRefundRequest): Promise<PixRefund> {
  const [refund] = await refundsOf(pool, request, request.refundId)
  if (!refund) throw notFound()
  return refundMessage(refund)
}

export async function listPixRefunds(
  { pool }: Deps,
  request: ListPixRefundsRequest,
): Promise<ListPixRefundsResponse> {
  const refunds = await refundsOf(pool, request)
  // An invoice without refunds has an empty list; an unknown one has none.
  if (refunds.length === 0) await readInvoice(pool, { sellerId: request.sellerId, id: request.invoiceId })
  return { refunds: refunds.map(refundMessage) }
}
