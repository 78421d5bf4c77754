import type { Replayable } from '@cofre/platform/grpc/replayable'
import { type Codec, withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { type GetInvoiceRequest, Invoice, InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../rules/invoice'
import { act, payNothing, type Action } from '../rules/transition'
import { chargeMessage, toMessage } from '../store/invoice-message'
import { saveLocked, updateInvoice } from '../store/invoice-store'

export function finalizeInvoice(deps: Deps, request: GetInvoiceRequest): Promise<Replayable<InvoiceCharge>> {
  return changeInvoice(deps, request, 'finalize', { message: InvoiceCharge, of: madeCharge })
}

function madeCharge({ charge, transactions }: WholeInvoice): InvoiceCharge {
  if (!charge) throw new Error('a finalized invoice has no charge')
  return chargeMessage(charge, transactions)
}

export function voidInvoice(deps: Deps, request: GetInvoiceRequest): Promise<Replayable<Invoice>> {
  return changeInvoice(deps, request, 'void', { message: Invoice, of: toMessage })
}

export function markUncollectible(deps: Deps, request: GetInvoiceRequest): Promise<Replayable<Invoice>> {
  return changeInvoice(deps, request, 'uncollectible', { message: Invoice, of: toMessage })
}

/** Changes an invoice as a seller asks: the change, its event and the key's mark commit together. */
async function changeInvoice<Message>(
  deps: Deps,
  { sellerId, invoiceId: id }: GetInvoiceRequest,
  action: Action,
  answer: { message: Codec<Message>; of: (invoice: WholeInvoice, at: number) => Message },
): Promise<Replayable<Message>> {
  const { pool, log } = deps
  return withIdempotency(pool, sellerId, answer.message, async (tx) => {
    // The time is taken under the lock: of two changes, the later one has the later time.
    const acted = await updateInvoice(deps, tx, { sellerId, id }, (invoice) => act(invoice, action, now()))
    const paid = payNothing(acted, acted.updatedAt)
    const changed = paid ? await saveLocked(deps, tx, paid) : acted
    log.info({ sellerId, invoiceId: id, status: changed.status }, 'invoice changed')
    // An invoice that needed no change is answered as it is now.
    return answer.of(changed, Math.max(changed.updatedAt, now()))
  })
}
