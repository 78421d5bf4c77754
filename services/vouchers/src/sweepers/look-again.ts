import { randomUUID } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { lookAgainAt } from '@cofre/platform/operation/look-again'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Deps } from '../deps'
import { lookAt } from '../payment/resolve-outcome'
import { readPayment, savePayment, type PaymentKey } from '../payment-store/payment-store'
import { findPayment } from './find-payment'

/**
 * Asks the issuer again about payments that were denied because it did not know them, and about those that are paid. A
 * denied one that turns up holds money that nobody will use: it is given back, and logged. A paid one that was canceled
 * there shows it. Returns how many it asked about.
 */
export function lookAgain(deps: Deps): Promise<number> {
  const { pool, log, rules } = deps
  const limits = { log, timeoutMs: 2 * rules.issuerTimeoutMs, what: 'voucher payment not checked again' }
  return lookAgainAt(pool, 'payments', (key) =>
    workInCall({ ...limits, facts: { paymentId: key.id } }, () => look(deps, key)),
  )
}

async function look(deps: Deps, key: PaymentKey): Promise<void> {
  const { payment } = await readPayment(deps.pool, key)
  const found = await findPayment(deps, payment)
  const { decision, verdict } = lookAt(payment, found, randomUUID(), databaseNow())
  // A payment that has changed meanwhile is checked again soon.
  if (decision && !(await savePayment(deps.pool, decision))) return
  const facts = { paymentId: key.id }
  if (verdict === 'late') tellViolation(deps.log, 'absence-lasts', facts)
  if (verdict === 'canceled') deps.log.warn(facts, 'canceled at the issuer')
  if (verdict === 'unexplained') tellViolation(deps.log, 'issuer-agrees', facts)
  if (verdict === 'unclear' && decision) deps.log.warn(facts, 'absence not confirmed')
}
