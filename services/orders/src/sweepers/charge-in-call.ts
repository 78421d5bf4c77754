import { workInCall } from '@cofre/platform/operation/work-in-call'
import type { ChargeKey } from '../charge-store/charge-store'
import type { Deps } from '../deps'

/** Works on one charge in a call of its own. Never fails: `what` is logged with the error. */
export function workOnCharge(
  { log, acquirers, pix }: Deps,
  { id }: ChargeKey,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  // The charge is not read yet: it may be at any acquirer, or at a bank.
  const holders = [...Object.values(acquirers), pix.bank]
  const timeoutMs = 2 * Math.max(...holders.map((one) => one.capabilities.timeoutMs))
  return workInCall({ log, timeoutMs, what, facts: { chargeId: id } }, work)
}
