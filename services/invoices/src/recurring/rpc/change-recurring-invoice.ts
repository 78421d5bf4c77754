import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  type GetRecurringInvoiceRequest,
  RecurringInvoice as Message,
} from '@cofre/proto/invoices/v1/recurring'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { collectSoon, endPermission } from '../../pix/automatic/permission-store'
import { type RecurringAction, act } from '../rules/transition'
import { toMessage } from '../store/recurring-message'
import { updateRecurring } from '../store/recurring-store'
import { holdChargesOfRecurring, stopChargesOfRecurring } from '../store/stop-charges-store'

export function pauseRecurringInvoice(
  deps: Deps,
  request: GetRecurringInvoiceRequest,
): Promise<Replayable<Message>> {
  return changeRecurringInvoice(deps, request, 'pause')
}

export function resumeRecurringInvoice(
  deps: Deps,
  request: GetRecurringInvoiceRequest,
): Promise<Replayable<Message>> {
  return changeRecurringInvoice(deps, request, 'resume')
}

export function cancelRecurringInvoice(
  deps: Deps,
  request: GetRecurringInvoiceRequest,
): Promise<Replayable<Message>> {
  return changeRecurringInvoice(deps, request, 'cancel')
}

/** Changes a recurring invoice as a seller asks: the change and the key's mark commit together. */
async function changeRecurringInvoice(
  { pool, log }: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
  action: RecurringAction,
): Promise<Replayable<Message>> {
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    // The time is taken under the lock: of two changes, the later one has the later time.
    const changed = await updateRecurring(tx, { sellerId, id }, (recurring) => act(recurring, action, now()))
    const key = { sellerId, recurringInvoiceId: id }
    const changedAt = { ...key, at: changed.updatedAt }
    if (action === 'cancel') await endPermission(tx, id, changed.updatedAt)
    if (action === 'resume') await collectSoon(tx, [id], changed.updatedAt)
    const charges =
      action === 'cancel'
        ? await stopChargesOfRecurring(tx, changedAt)
        : await holdChargesOfRecurring(tx, changedAt, action === 'pause')
    log.info({ ...key, status: changed.status, charges }, 'recurring invoice changed')
    return toMessage(changed)
  })
}
