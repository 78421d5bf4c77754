import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { leaseLooks } from '../charge-store/charge-schedule-store'
import { readCharge, saveCharge, type ChargeKey } from '../charge-store/charge-store'
import { failedPayment, lookAt } from '../charge/second-look'
import type { Deps } from '../deps'
import { findPayment } from './find-payment'

const BATCH_SIZE = 20
/** How soon a charge is looked at again after a look without a clear answer. */
const SOON_MS = 600_000

/**
 * Asks the acquirer again about charges that failed because it did not know their sale, or were denied by an unsure
 * decline. A sale that turns up approved holds money that nobody will use: it is given back, and logged. Returns how
 * many charges it asked about.
 */
export async function lookAgain(deps: Deps): Promise<number> {
  const keys = await leaseLooks(deps.pool, { at: Date.now(), againMs: SOON_MS, batch: BATCH_SIZE })
  await Promise.all(keys.map((key) => lookInCall(deps, key)))
  return keys.length
}

async function lookInCall(deps: Deps, key: ChargeKey): Promise<void> {
  const call = newCall({ timeoutMs: 2 * deps.rules.acquirerTimeoutMs })
  await runCall(call, async () => {
    try {
      await look(deps, key)
    } catch (error) {
      // One charge that can't be looked at must not keep the others waiting; it is looked at again.
      deps.log.error({ chargeId: key.id, err: error }, 'charge not checked again')
    }
  })
}

async function look(deps: Deps, key: ChargeKey): Promise<void> {
  const { charge, account } = await readCharge(deps.pool, key)
  const payment = failedPayment(charge)
  if (!payment) throw new Error('no payment that failed or was denied')
  const found = await findPayment(deps, account, payment, charge)
  const { decision, verdict } = lookAt(charge, payment, found, Date.now())
  // A charge that changed meanwhile is looked at again soon.
  if (decision && !(await saveCharge(deps.pool, decision))) return
  const facts = { chargeId: key.id, position: payment.position }
  const concluded = charge.status === 'DENIED' ? 'decline-lasts' : 'absence-lasts'
  if (verdict === 'late') tellViolation(deps.log, concluded, facts)
  if (verdict === 'unexplained') tellViolation(deps.log, 'acquirer-agrees', facts)
  if (verdict === 'unclear' && decision) deps.log.warn(facts, 'end not confirmed')
}
