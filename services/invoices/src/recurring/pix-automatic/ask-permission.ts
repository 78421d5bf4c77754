import { DomainError, notFound, unavailable } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import { PixPermission as Message } from '@cofre/proto/invoices/v1/pix'
import {
  CreatePixPermissionResponse,
  type GetRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { readBillingSettings } from '../../catalog/settings/billing-settings-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { holdReferences } from '../../invoice/store/new-invoice-store'
import { newPublicId } from '../../catalog/public-id'
import { permissionMessage } from '../../pix/automatic/automatic-message'
import {
  findPermission,
  insertPermission,
  latestPermission,
  lockOpenPermission,
  savePermission,
} from '../../pix/automatic/permission-store'
import { ended, type PixPermission } from '../../pix/rules/permission'
import { keepKey, lookAtKeySoon } from '../../pix/store/pix-account-store'
import { lockRecurring } from '../store/recurring-store'
import { advancePermission } from './advance-permission'
import { newPermission } from '../rules/new-permission'

/** Asks the bank for a permission of the payer; the answer has it as far as the bank answers now. */
export async function createPixPermission(
  deps: Deps,
  request: GetRecurringInvoiceRequest,
): Promise<Replayable<CreatePixPermissionResponse>> {
  const { sellerId, recurringInvoiceId: id } = request
  const account = await deps.pix.accounts.find(sellerId)
  const kept = await withIdempotency(deps.pool, sellerId, CreatePixPermissionResponse, async (tx) => {
    const { permission, existing } = await openOrNew(tx, { sellerId, id }, account)
    return { pixPermission: permissionMessage(permission), existing }
  })
  const { pixPermission, existing } = kept.response
  if (!pixPermission) throw new Error('a permission was not answered')
  const { id: permissionId } = pixPermission
  const permission = existing
    ? await findPermission(deps.pool, permissionId)
    : await advancePermission(deps, permissionId)
  if (!permission) throw unavailable('The permission could not be read.')
  if (permission.status === 'REFUSED') {
    const message = 'The bank did not make the permission, so no payer can give it.'
    throw new DomainError('failed_precondition', 'PIX_REFUSED', message)
  }
  return { ...kept, response: { pixPermission: permissionMessage(permission), existing } }
}

/** Asks for a permission within the request for a Pix charge of one of its invoices: once for each recurring invoice. */
export async function askBeside(deps: Deps, sellerId: number, id: number): Promise<void> {
  const account = await deps.pix.accounts.find(sellerId)
  const made = await withTransaction(deps.pool, async (tx) => {
    if (await latestPermission(tx, id)) return undefined
    return (await openOrNew(tx, { sellerId, id }, account)).permission
  })
  if (made) await advancePermission(deps, made.id)
}

async function openOrNew(
  tx: PoolClient,
  key: { sellerId: number; id: number },
  account: string | undefined,
): Promise<{ permission: PixPermission; existing: boolean }> {
  const recurring = await lockRecurring(tx, key)
  const open = await lockOpenPermission(tx, key.id)
  if (open) return { permission: open, existing: true }
  const { sellerId } = key
  const { customer } = await holdReferences(tx, { ...key, customerId: recurring.customerId, productIds: [] })
  if (!customer) throw notFound()
  const { pixReceiver: receiver } = await readBillingSettings(tx, sellerId)
  const at = now()
  const payer = { name: customer.name, document: customer.document }
  const asked = { account, receiver, payer, publicId: newPublicId() }
  const permission = await insertPermission(tx, newPermission(recurring, asked, at))
  // The bank is to report it soon.
  await keepKey(tx, { account: permission.account, sellerId, at })
  await lookAtKeySoon(tx, permission.account, at)
  return { permission, existing: false }
}

/** Has the bank end the open permission; the answer has it as far as the bank answers now. */
export async function cancelPixPermission(
  deps: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
): Promise<Replayable<Message>> {
  const kept = await withIdempotency(deps.pool, sellerId, Message, async (tx) => {
    await lockRecurring(tx, { sellerId, id })
    const open = await lockOpenPermission(tx, id)
    const after = open && ended(open, now())
    if (after) await savePermission(tx, after)
    const permission = after ?? (await latestPermission(tx, id))
    if (!permission) throw notFound('The recurring invoice has no permission.')
    return permissionMessage(permission)
  })
  const permission = await advancePermission(deps, kept.response.id)
  return permission ? { ...kept, response: permissionMessage(permission) } : kept
}
