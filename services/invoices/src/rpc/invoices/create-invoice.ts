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
  beginInvoice,
  insertInvoice,
  type Ids,
  type References,
  type Step,
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
    const { references, ids } = await beginInvoice(tx, { sellerId, customerId, productIds })
    const at = now()
    const draft = { ...draftOf(sellerId, asked, references, at), id: ids.id }
    const closed = request.finalize ? [finalizedStep(draft, ids, at)] : []
    const invoice = await insertInvoice(tx, [{ invoice: draft, event: 'invoice.created' }, ...closed])
    log.info({ sellerId, invoiceId: invoice.id, status: invoice.status }, 'invoice made')
    return toMessage(invoice, at)
  })
}

function finalizedStep(draft: WholeInvoice, { chargeId }: Ids, at: number): Step {
  const { id: invoiceId, sellerId, amount } = draft
  const ofCharge = { status: 'PENDING', method: null, createdAt: at, updatedAt: at } as const
  const charge = { id: chargeId, invoiceId, sellerId, amount, ...ofCharge }
  return { invoice: { ...finalized(draft, at), charge }, event: 'invoice.finalized' }
}

function draftOf(
  sellerId: number,
  { items, ...asked }: InvoiceRequest,
  { customer, products }: References,
  at: number,
): WholeInvoice {
  const missing = [
    ...(customer ? [] : ['#/customerId']),
    ...items.flatMap(({ productId }, place) =>
      products.has(productId) ? [] : [`#/items/${place}/productId`],
    ),
  ]
  if (!customer || missing.length > 0) throw unknownReference('The invoice', missing)
  return {
    ...asked,
    invoiceNumber: asked.invoiceNumber ?? '',
    id: 0,
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
    charge: null,
    transactions: [],
    automaticCharge: null,
    sequence: 1,
    createdAt: at,
    updatedAt: at,
  }
}
