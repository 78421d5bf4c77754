import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { CreateInvoiceRequest, Invoice, type ReplaceInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import { checkRecipients } from '../../catalog/recipients/recipient-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../rules/invoice'
import { checkReplaceable, replaceDraft } from '../rules/replace-draft'
import { saveReplaced } from '../store/draft-store'
import { toMessage } from '../store/invoice-message'
import { lockInvoice } from '../store/invoice-store'
import { holdReferences, type References } from '../store/new-invoice-store'
import { printed, productsOf, readTerms } from './invoice-request'

/** Replaces a draft: what it says, its event and the key's mark commit together. */
export async function replaceInvoice(
  deps: Deps,
  { sellerId, invoiceId: id, updatedAt: readAt, invoice }: ReplaceInvoiceRequest,
): Promise<Replayable<Invoice>> {
  const { pool, log } = deps
  const request = { ...(invoice ?? CreateInvoiceRequest.fromPartial({})), sellerId }
  const asked = await readTerms(deps, request)
  return withIdempotency(pool, sellerId, Invoice, async (tx) => {
    const draft = await lockInvoice(tx, { sellerId, id })
    checkReplaceable(draft, { isAsked: await deps.isAsked(tx, id), readAt })
    await checkRecipients(tx, sellerId, asked.splits)
    const customerId = request.customerId || draft.customer.id
    const held = await holdReferences(tx, { sellerId, customerId, productIds: productsOf(asked) })
    const at = now()
    const given = printed(asked, withKept(held, draft, customerId), at)
    const replaced = await saveReplaced(deps, tx, replaceDraft(draft, given, at))
    log.info({ sellerId, invoiceId: id }, 'draft replaced')
    return toMessage(replaced, at)
  })
}

/** What was deleted since it was printed on the draft may stay there. */
function withKept(held: References, { customer, items }: WholeInvoice, customerId: number): References {
  const kept = customer.id === customerId ? customer : undefined
  const products = new Map(items.map(({ productId, description }) => [productId, description]))
  return {
    ...held,
    customer: held.customer ?? kept,
    products: new Map([...products, ...held.products]),
  }
}
