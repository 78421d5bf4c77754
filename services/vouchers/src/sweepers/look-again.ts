import { randomUUID } from 'node:crypto'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Deps } from '../deps'
import { lookAt } from '../payment/settlement'
import { leaseLooks } from '../payment-store/payment-schedule-store'
import { readPayment, savePayment, type PaymentKey } from '../payment-store/payment-store'
import { findPayment } from './find-payment'

const BATCH_SIZE = 20
/** The wait after a look without a clear answer. */
const SOON_MS = 600_000

/**
 * Asks the issuer again about payments that were denied because it did not know them. A payment that turns up holds
 * money that nobody will use: it is given back, and logged. Returns how many it asked about.
 */
export async function lookAgain(deps: Deps): Promise<number> {
  const keys = await leaseLooks(deps.pool, { at: Date.now(), againMs: SOON_MS, batch: BATCH_SIZE })
  await Promise.all(keys.map((key) => lookInCall(deps, key)))
  return keys.length
}

async function lookInCall(deps: Deps, key: PaymentKey): Promise<void> {
  const call = newCall({ timeoutMs: 2 * deps.rules.issuerTimeoutMs })
  await runCall(call, async () => {
    try {
      await look(deps, key)
    } catch (err) {
      // One payment that can't be checked must not keep the others waiting; it is checked again.
      deps.log.error({ paymentId: key.id, err }, 'voucher payment not checked again')
    }
  })
}

async function look(deps: Deps, key: PaymentKey): Promise<void> {
  const payment = await readPayment(deps.pool, key)
  const found = await findPayment(deps, payment)
  const { decision, verdict } = lookAt(payment, found, randomUUID(), Date.now())
  // A payment that has changed meanwhile is checked again soon.
  if (decision && !(await savePayment(deps.pool, decision))) return
  const facts = { paymentId: key.id }
  if (verdict === 'late') tellViolation(deps.log, 'absence-lasts', facts)
  if (verdict === 'unexplained') tellViolation(deps.log, 'issuer-agrees', facts)
  if (verdict === 'unclear' && decision) deps.log.warn(facts, 'absence not confirmed')
}
