import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  RecurringInvoice as Message,
  type GetRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { act, type RecurringAction } from '../../recurring/transition'
import { toMessage } from '../../recurring-store/recurring-message'
import { updateRecurring } from '../../recurring-store/recurring-store'
import { stopChargesOfRecurring } from '../../recurring-store/stop-charges-store'

/** Changes a recurring invoice as a seller asks: the change and the key's mark commit together. */
export async function changeRecurringInvoice(
  { pool, log }: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
  action: RecurringAction,
): Promise<Replayable<Message>> {
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    // The time is taken under the lock: of two changes, the later one has the later time.
    const changed = await updateRecurring(tx, { sellerId, id }, (recurring) => act(recurring, action, now()))
    const key = { sellerId, recurringInvoiceId: id }
    const chargesStopped =
      action === 'cancel' ? await stopChargesOfRecurring(tx, { ...key, at: changed.updatedAt }) : 0
    log.info({ ...key, status: changed.status, chargesStopped }, 'recurring invoice changed')
    return toMessage(changed)
  })
}
