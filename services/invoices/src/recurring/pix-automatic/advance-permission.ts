import { resolverOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { RecurringInvoiceEventType } from '@cofre/api/events'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { tellAll } from '../../invoice/store/many-invoices-store'
import { ISSUED, queueEmail } from '../../letters/queue/queue-email'
import { NO_ACCOUNT } from '../../methods/rules/registered-ask'
import type { Failed } from '../../pix/bank/pix-bank'
import {
  findPermission,
  leasePermissions,
  lockPermission,
  savePermission,
} from '../../pix/automatic/permission-store'
import { followed, isOpen, refused, type PixPermission } from '../../pix/rules/permission'
import { eventOf } from '../store/recurring-message'
import { lockRecurring, saveRecurring } from '../store/recurring-store'
import { uncollected } from './collect-store'

type PermissionDeps = Pick<Deps, 'pool' | 'log' | 'pix'>

/** How often a permission is looked at whose seller has no account at the bank. */
const WITHOUT_ACCOUNT_MS = 86_400_000

const EVENTS: Partial<Record<PixPermission['status'], RecurringInvoiceEventType>> = {
  APPROVED: 'recurring_invoice.pix_permission_approved',
  REJECTED: 'recurring_invoice.pix_permission_rejected',
  EXPIRED: 'recurring_invoice.pix_permission_expired',
  CANCELLED: 'recurring_invoice.pix_permission_cancelled',
}

/** Looks at open permissions: at least daily, when the bank reports one, and soon while the bank has one to make or to end. */
export const { take: takeDuePermissions, start: startLookingAtPermissions } = resolverOf<Deps, number>(
  {
    what: 'Pix permissions',
    lease: leasePermissions,
    nameOf: (id) => id,
    rulesOf: ({ pix }) => pix.rules,
    now,
  },
  (deps, id) => {
    const { log, pix } = deps
    const timeoutMs = 5 * pix.rules.bankTimeoutMs
    const limits = { log, timeoutMs, what: 'Pix permission not looked at', facts: { permissionId: id } }
    return workInCall(limits, async () => void (await advancePermission(deps, id)))
  },
)

/**
 * Takes a permission as far as the bank answers: a place for its QR code, the permission there, its state, its end.
 * Repeatable: the bank makes one permission for a place, and the place is saved before it is used.
 */
export async function advancePermission(
  deps: PermissionDeps,
  id: number,
): Promise<PixPermission | undefined> {
  const permission = await findPermission(deps.pool, id)
  if (!permission || !isOpen(permission)) return permission
  const located = await locate(deps, permission)
  const made = located.locationId === null ? located : await make(deps, located, located.locationId)
  const { recId } = made
  if (recId === null || !isOpen(made)) return made
  const { automatic } = deps.pix.bank
  const found = await automatic.find({ ...made, recId }, deadlineOf(deps))
  if (found.result !== 'found') return fail(deps, made, found)
  const seen = await change(deps, made, (current, at) => followed(current, found.found, at))
  if (!seen.cancelling) return seen
  const ended = await automatic.cancel({ ...seen, recId }, deadlineOf(deps))
  if (ended.result !== 'found') return seen
  return change(deps, seen, (current, at) => followed(current, ended.found, at))
}

async function locate(deps: PermissionDeps, permission: PixPermission): Promise<PixPermission> {
  if (permission.locationId !== null) return permission
  const located = await deps.pix.bank.automatic.locate(permission, deadlineOf(deps))
  if (located.result !== 'located') return fail(deps, permission, located)
  return change(deps, permission, (current) => ({ ...current, locationId: current.locationId ?? located.id }))
}

/** Makes a permission at its place, unless it is there: an answer may have been lost. */
async function make(
  deps: PermissionDeps,
  permission: PixPermission,
  locationId: number,
): Promise<PixPermission> {
  if (permission.recId !== null) return permission
  const { automatic } = deps.pix.bank
  const at = { ...permission, locationId }
  const before = await automatic.recAt(at, deadlineOf(deps))
  if (before.result !== 'read') return fail(deps, permission, before)
  const created = before.recId === null ? await automatic.create(at, deadlineOf(deps)) : undefined
  if (created?.result === 'created') return adopt(deps, permission, created.recId)
  // A place that is taken is refused: another process may have been faster.
  const after = created?.result === 'refused' ? await automatic.recAt(at, deadlineOf(deps)) : before
  if (after.result === 'read' && after.recId !== null) return adopt(deps, permission, after.recId)
  return created && after.result === 'read' ? fail(deps, permission, created) : permission
}

function adopt(deps: PermissionDeps, permission: PixPermission, recId: string): Promise<PixPermission> {
  return change(deps, permission, (current) => ({ ...current, recId: current.recId ?? recId }))
}

/** Follows an answer that is none. What the bank did not make is over; it is asked again about the others. */
function fail(
  deps: PermissionDeps,
  permission: PixPermission,
  answer: Failed | { result: 'refused'; code: string },
): Promise<PixPermission> | PixPermission {
  const isGone = answer.result === 'not_sent' && answer.refusal?.reason === 'NO_ESTABLISHMENT'
  const code = answer.result === 'refused' ? answer.code : isGone ? NO_ACCOUNT : undefined
  if (code === undefined) return permission
  if (permission.recId === null) return change(deps, permission, (current, at) => refused(current, code, at))
  return change(deps, permission, (current, at) => ({ ...current, askAt: at + WITHOUT_ACCOUNT_MS }))
}

function deadlineOf({ pix }: PermissionDeps): number {
  return databaseNow() + pix.rules.bankTimeoutMs
}

/** Changes a permission, and notifies the seller of a decision about it, in one transaction. */
function change(
  { pool, log }: PermissionDeps,
  { id, sellerId, recurringInvoiceId }: PixPermission,
  decide: (current: PixPermission, at: number) => PixPermission,
): Promise<PixPermission> {
  return withTransaction(pool, async (tx) => {
    const recurring = await lockRecurring(tx, { sellerId, id: recurringInvoiceId })
    const before = await lockPermission(tx, id)
    const at = now()
    const after = decide(before, at)
    if (after === before) return before
    await savePermission(tx, after)
    const event = after.status === before.status ? undefined : EVENTS[after.status]
    if (event) {
      const told = { ...recurring, sequence: recurring.sequence + 1, updatedAt: at }
      await saveRecurring(tx, [told])
      await tellAll(tx, [eventOf(told, event, { permission: after })])
    }
    // Nobody has asked their payer for them.
    const left = before.status === 'APPROVED' && !isOpen(after) ? await uncollected(tx, after) : []
    for (const key of left) await queueEmail(tx, await readInvoice(tx, key), ISSUED)
    log.info({ permissionId: id, recurringInvoiceId, status: after.status }, 'Pix permission changed')
    return after
  })
}
