import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Lease } from '@cofre/platform/postgres/lease'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import type { Deps } from '../deps'
import type { Payment } from '../payment/payment'
import { recordCancellation } from '../payment/payment-outcome'
import { settle } from '../payment/settlement'
import { transition } from '../payment/transition'
import { leasePayments } from '../payment-store/payment-schedule-store'
import { readPayment, saveOutcome, savePayment, type PaymentKey } from '../payment-store/payment-store'
import { sendCancellation } from '../rpc/cancel-payment'
import { findPayment } from './find-payment'

/**
 * Leases up to `batch` payments that are due to be asked about: no other process takes them until their next time.
 * `inHand`: the ids of payments that this process is still asking about.
 */
export function takePending(
  { pool, rules }: Deps,
  batch: number,
  inHand: Lease['inHand'] = [],
): Promise<PaymentKey[]> {
  const { settleFirstMs: firstMs, settleMaxMs: maxMs } = rules
  return leasePayments(pool, { at: Date.now(), firstMs, maxMs, batch, inHand })
}

/** Asks the issuer about a pending operation, adopts the issuer's state, and sends a due release. Never fails. */
export async function settlePending(deps: Deps, key: PaymentKey): Promise<void> {
  const call = newCall({ timeoutMs: 2 * deps.rules.issuerTimeoutMs })
  await runCall(call, async () => {
    try {
      await settlePayment(deps, key)
    } catch (err) {
      // One payment that can't be settled must not keep the others waiting; the issuer is asked again.
      deps.log.error({ paymentId: key.id, err }, 'voucher payment not resolved')
    }
  })
}

async function settlePayment(deps: Deps, key: PaymentKey): Promise<void> {
  const payment = await readPayment(deps.pool, key)
  if (!payment.operation) return
  const askedAt = Date.now()
  const found = await findPayment(deps, payment)
  const truth = { found, askedAt, graceMs: deps.rules.absenceGraceMs }
  const { decision, unexplained } = settle(payment, truth)
  if (unexplained) return tellViolation(deps.log, 'issuer-agrees', { paymentId: key.id })
  // The answer holds for the payment as it was then: when it has changed meanwhile, the issuer is asked again.
  if (decision) return void (await savePayment(deps.pool, decision))
  if (payment.operation.type === 'RELEASE' && found.result === 'found') await release(deps, payment)
}

/** Sends a release. One sweeper alone can save the intention, so the issuer gets one call at a time. */
async function release(deps: Deps, payment: Payment): Promise<void> {
  const { operation } = payment
  if (!operation) return
  const at = Date.now()
  const deadline = at + deps.rules.issuerTimeoutMs
  if (operation.dispatchDeadline !== null && operation.dispatchDeadline >= at) return
  const intention = transition(payment, { operation: { ...operation, dispatchDeadline: deadline } }, at)
  if (!(await savePayment(deps.pool, intention))) return
  const outcome = await sendCancellation(deps, intention.payment, deadline)
  if (outcome.result === 'refused') tellViolation(deps.log, 'issuer-gives-back', { paymentId: payment.id })
  await saveOutcome(deps.pool, intention.payment, (current) =>
    recordCancellation(current, operation.id, outcome, Date.now()),
  )
}
