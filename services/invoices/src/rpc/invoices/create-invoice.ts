import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Invoice as Message, type CreateInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { lateDayOf } from '../../invoice/lateness'
import type { WholeInvoice } from '../../invoice/invoice'
import { finalized } from '../../invoice/transition'
import { newPublicId } from '../../invoice-store/public-id'
import { checkSplits } from '../../invoice/splits'
import { toMessage } from '../../invoice-store/invoice-message'
import {
  holdReferences,
  insertInvoice,
  type Draft,
  type References,
} from '../../invoice-store/new-invoice-store'
import { readRequest, type InvoiceRequest } from './invoice-request'
import { unknownReference } from '../request-check'

export async function createInvoice(
  { pool, log }: Deps,
  request: CreateInvoiceRequest,
): Promise<Replayable<Message>> {
  const { sellerId, customerId } = request
  const asked = readRequest(request)
  checkSplits(asked.splits, asked.amount)
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    const productIds = [...new Set(asked.items.map(({ productId }) => productId))]
    const references = await holdReferences(tx, { sellerId, customerId, productIds })
    const at = now()
    const draft = draftOf(sellerId, asked, references, at)
    const finalize = request.finalize ? (made: WholeInvoice) => finalized(made, at) : undefined
    const invoice = await insertInvoice(tx, draft, finalize)
    log.info({ sellerId, invoiceId: invoice.id, status: invoice.status }, 'invoice made')
    return toMessage(invoice, at)
  })
}

function draftOf(
  sellerId: number,
  { items, ...asked }: InvoiceRequest,
  { customer, products }: References,
  at: number,
): Draft {
  const missing = [
    ...(customer ? [] : ['#/customerId']),
    ...items.flatMap(({ productId }, place) =>
      products.has(productId) ? [] : [`#/items/${place}/productId`],
    ),
  ]
  if (!customer || missing.length > 0) throw unknownReference('The invoice', missing)
  return {
    ...asked,
    sellerId,
    publicId: newPublicId(),
    status: 'OPEN',
    customer,
    lateOn: lateDayOf(asked.dueDate),
    closeDate: null,
    paymentDate: null,
    pastDueTold: false,
    paidAmount: 0,
    refundedAmount: 0,
    recurringInvoiceId: null,
    cycle: null,
    items: items.map((item, place) => ({
      ...item,
      id: place + 1,
      description: products.get(item.productId) ?? '',
    })),
    sequence: 1,
    createdAt: at,
    updatedAt: at,
  }
}
