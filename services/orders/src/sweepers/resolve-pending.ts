import { databaseNow } from '@cofre/platform/service/database-clock'
import { resolverOf, rowsOf } from '@cofre/platform/operation/resolver'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Account, Found } from '../acquirer/acquirer'
import type { Charge } from '../charge/charge'
import { readCharge, saveCharge, type ChargeKey } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { withEndsNotified } from '../charge/operation-event'
import { endedMarks } from '../charge/operation-mark'
import { releasesDue } from '../charge/release'
import { isAsked, resolveOutcome } from '../charge/resolve-outcome'
import { workOnCharge } from './charge-in-call'
import { findPayment } from './find-payment'
import { sendDue } from './send-due'
import { lookAtPix } from '../pix/look-at-pix'
import { unsentDue } from '../charge/unsent-part'

/**
 * Asks the acquirer about a charge's pending operations and adopts its state. Sends the releases and the unsent parts.
 * Never fails.
 */
export function resolvePending(deps: Deps, key: ChargeKey): Promise<void> {
  return workOnCharge(deps, key, 'charge not resolved', () => resolveCharge(deps, key))
}

export const { take: takePending, start: startResolver } = resolverOf<Deps, ChargeKey>(
  rowsOf('charges'),
  resolvePending,
)

async function resolveCharge(deps: Deps, key: ChargeKey): Promise<void> {
  const stored = await readCharge(deps.pool, key)
  const { account } = stored
  const { acquirer } = stored.charge
  if (acquirer === 'pix') {
    await lookAtPix(deps, stored)
    return
  }
  const askedAt = databaseNow()
  const found = await ask(deps, account, stored.charge)
  const { capabilities } = deps.acquirers[acquirer]
  const resolved = resolveOutcome(stored.charge, {
    found,
    askedAt,
    graceMs: capabilities.absenceGraceMs,
    unsureMs: capabilities.unsureDeclineMs,
  })
  // Later sends start from the charge as it is saved, with its count of events.
  const decision = resolved.decision && withEndsNotified(resolved.decision)
  for (const position of resolved.unexplained) {
    tellViolation(deps.log, 'acquirer-agrees', { chargeId: key.id, position })
  }
  // The answers hold for the charge as it was when asked: a charge that changed meanwhile is asked about again.
  if (
    decision &&
    !(await saveCharge(deps.pool, { ...decision, marks: endedMarks(decision.before, decision.charge) }))
  )
    return
  const charge = decision?.charge ?? stored.charge
  await sendDue(deps, account, charge, [...releasesDue(charge, found, databaseNow()), ...unsentDue(charge)])
}

async function ask(deps: Deps, account: Account, charge: Charge): Promise<ReadonlyMap<number, Found>> {
  const sent = charge.transactions.filter((one) => one.status === 'PENDING' && isAsked(one))
  const positions = new Set(sent.map(({ position }) => position))
  const payments = charge.payments.filter(({ position }) => positions.has(position))
  const entries = await Promise.all(
    payments.map(
      async (payment) => [payment.position, await findPayment(deps, account, payment, charge)] as const,
    ),
  )
  return new Map(entries)
}
