import { databaseNow } from '@cofre/platform/service/database-clock'
import { resolverOf, rowsOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Deps } from '../deps'
import type { Payment } from '../payment/payment'
import { recordRepeated } from '../payment/payment-outcome'
import { isSentAgain, resolveOutcome } from '../payment/resolve-outcome'
import { transition } from '../payment/transition'
import { readPayment, saveOutcome, savePayment, type PaymentKey } from '../payment-store/payment-store'
import { sendCancellation } from '../rpc/cancel-payment'
import { findPayment } from './find-payment'

/**
 * Asks the issuer about a pending operation, and adopts the issuer's state. Sends a due release, and a cancellation that
 * did not happen. Never fails.
 */
export function resolvePending(deps: Deps, key: PaymentKey): Promise<void> {
  const { log, rules } = deps
  const limits = { log, timeoutMs: 2 * rules.issuerTimeoutMs, what: 'voucher payment not resolved' }
  return workInCall({ ...limits, facts: { paymentId: key.id } }, () => resolvePayment(deps, key))
}

export const { take: takePending, start: startResolver } = resolverOf<Deps, PaymentKey>(
  rowsOf('payments'),
  resolvePending,
)

async function resolvePayment(deps: Deps, key: PaymentKey): Promise<void> {
  const { payment } = await readPayment(deps.pool, key)
  if (!payment.operation) return
  const askedAt = databaseNow()
  const found = await findPayment(deps, payment)
  const truth = { found, askedAt, graceMs: deps.rules.absenceGraceMs }
  const { decision, unexplained } = resolveOutcome(payment, truth)
  if (unexplained) return tellViolation(deps.log, 'issuer-agrees', { paymentId: key.id })
  // The answer holds for the payment as it was then: when it has changed meanwhile, the issuer is asked again.
  if (decision) return void (await savePayment(deps.pool, decision))
  if (isSentAgain(payment, truth)) await sendAgain(deps, payment)
}

/** Sends a release or cancellation. One sweeper alone can save the intention, so the issuer gets one call at a time. */
async function sendAgain(deps: Deps, payment: Payment): Promise<void> {
  const { operation } = payment
  if (!operation) return
  const at = databaseNow()
  const deadline = at + deps.rules.issuerTimeoutMs
  if (operation.dispatchDeadline !== null && operation.dispatchDeadline >= at) return
  const intention = transition(payment, { operation: { ...operation, dispatchDeadline: deadline } }, at)
  if (!(await savePayment(deps.pool, intention))) return
  const outcome = await sendCancellation(deps, intention.payment, deadline)
  const isRelease = operation.type === 'RELEASE'
  if (isRelease && outcome.result === 'refused')
    tellViolation(deps.log, 'issuer-gives-back', { paymentId: payment.id })
  await saveOutcome(deps.pool, intention.payment, (current) =>
    recordRepeated(current, operation.id, outcome, databaseNow()),
  )
}
