import { unavailable } from '@cofre/platform/errors'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { CancelChargeRequest, Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import { allowedActions, invalidState } from '../../charge/charge'
import { readCharge, saveCharge } from '../../charge-store/charge-store'
import type { Deps } from '../../deps'
import { getCharge } from '../../rpc/get-charge'
import { lookAtPix } from '../look-at-pix'
import { cancelled } from '../rules/adopt-bank'

/**
 * Ends the time to pay a charge that waits for its Pix. The bank withdraws the charge, now or as soon as it answers. A
 * Pix that came before pays it. Repeatable.
 */
export async function cancelCharge(deps: Deps, request: CancelChargeRequest): Promise<ChargeMessage> {
  const key = { sellerId: request.sellerId, id: request.chargeId }
  const stored = await readCharge(deps.pool, key)
  const { charge } = stored
  const waits = allowedActions(charge).includes('cancel')
  if (!waits && charge.status !== 'EXPIRED') throw invalidState(charge)
  if (waits) {
    const saved = await saveCharge(deps.pool, cancelled(charge, databaseNow()))
    if (!saved) throw unavailable('The charge changed meanwhile. Nothing was done.')
    await lookAtPix(deps, { ...stored, charge: saved.charge })
  }
  return getCharge(deps, request)
}
