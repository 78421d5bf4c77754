import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency, type Codec } from '@cofre/platform/idempotency/idempotency'
import type { GetInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/invoice'
import { act, type Action } from '../../invoice/transition'
import { updateInvoice } from '../../invoice-store/invoice-store'

/** Changes an invoice as a seller asks: the change, its event and the key's mark commit together. */
export async function changeInvoice<Message>(
  { pool, log }: Deps,
  { sellerId, invoiceId: id }: GetInvoiceRequest,
  action: Action,
  answer: { message: Codec<Message>; of: (invoice: WholeInvoice, at: number) => Message },
): Promise<Replayable<Message>> {
  return withIdempotency(pool, sellerId, answer.message, async (tx) => {
    // The time is taken under the lock: of two changes, the later one has the later time.
    const changed = await updateInvoice(tx, { sellerId, id }, (invoice) => act(invoice, action, now()))
    log.info({ sellerId, invoiceId: id, status: changed.status }, 'invoice changed')
    // An invoice that needed no change is answered as it is now.
    return answer.of(changed, Math.max(changed.updatedAt, now()))
  })
}
