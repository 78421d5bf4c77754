import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Invoice as Message, type CreateInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import { checkRecipients } from '../../catalog/recipients/recipient-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../rules/invoice'
import { newInvoice } from '../rules/new-invoice'
import { finalizing } from '../rules/transition'
import { newPublicId } from '../../catalog/public-id'
import { toMessage } from '../store/invoice-message'
import { beginInvoice, insertInvoice, type Ids, type Step } from '../store/new-invoice-store'
import { printed, productsOf, readTerms } from './invoice-request'

export async function createInvoice(deps: Deps, request: CreateInvoiceRequest): Promise<Replayable<Message>> {
  const { pool, log } = deps
  const { sellerId, customerId } = request
  const asked = await readTerms(deps, request)
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    await checkRecipients(tx, sellerId, asked.splits)
    const { references, ids } = await beginInvoice(tx, {
      sellerId,
      customerId,
      productIds: productsOf(asked),
    })
    const at = now()
    const names = { publicId: newPublicId(), invoiceNumber: asked.invoiceNumber ?? '' }
    const alone = { recurringInvoiceId: null, cycle: null }
    const given = printed(asked, references, at)
    const draft = { ...newInvoice({ ...given, ...names, ...alone, sellerId }, at), id: ids.id }
    const closed = request.finalize ? finalizedSteps(draft, ids, at) : []
    const invoice = await insertInvoice(tx, [{ invoice: draft, event: 'invoice.created' }, ...closed])
    log.info({ sellerId, invoiceId: invoice.id, status: invoice.status }, 'invoice made')
    return toMessage(invoice, at)
  })
}

/** The steps that finalize a new invoice, and the events that report them. */
export function finalizedSteps(draft: WholeInvoice, { chargeId }: Ids, at: number): Step[] {
  const { id: invoiceId, sellerId, amount } = draft
  return finalizing(draft, at).flatMap(({ invoice, event, charge: status = 'PENDING' }) => {
    const charge = {
      id: chargeId,
      invoiceId,
      sellerId,
      amount,
      status,
      method: null,
      createdAt: at,
      updatedAt: at,
    }
    return event ? [{ invoice: { ...invoice, charge }, event }] : []
  })
}
