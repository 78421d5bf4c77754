import { databaseNow } from '@cofre/platform/service/database-clock'
import { lookAgainAt } from '@cofre/platform/operation/look-again'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { readCharge, saveCharge, type ChargeKey } from '../charge-store/charge-store'
import { failedPayment, lookAt } from '../charge/second-look'
import type { Deps } from '../deps'
import { workOnCharge } from './charge-in-call'
import { findPayment } from './find-payment'

/**
 * Asks the acquirer again about charges that failed because it did not know their sale, or were denied by an unsure
 * decline. A sale that turns up approved holds money that nobody will use: it is given back, and logged. Returns how
 * many charges it asked about.
 */
export function lookAgain(deps: Deps): Promise<number> {
  return lookAgainAt(deps.pool, 'charges', (key) =>
    workOnCharge(deps, key, 'charge not checked again', () => look(deps, key)),
  )
}

async function look(deps: Deps, key: ChargeKey): Promise<void> {
  const { charge, account } = await readCharge(deps.pool, key)
  const payment = failedPayment(charge)
  if (!payment) throw new Error('no payment that failed or was denied')
  const found = await findPayment(deps, account, payment, charge)
  const { decision, verdict } = lookAt(charge, payment, found, databaseNow())
  // A charge that changed meanwhile is looked at again soon.
  if (decision && !(await saveCharge(deps.pool, decision))) return
  const facts = { chargeId: key.id, position: payment.position }
  const concluded = charge.status === 'DENIED' ? 'decline-lasts' : 'absence-lasts'
  if (verdict === 'late') tellViolation(deps.log, concluded, facts)
  if (verdict === 'unexplained') tellViolation(deps.log, 'acquirer-agrees', facts)
  if (verdict === 'unclear' && decision) deps.log.warn(facts, 'end not confirmed')
}
