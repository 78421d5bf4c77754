import { databaseNow } from '@cofre/platform/service/database-clock'
import { unavailable, type DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import type { GetPaymentRequest, VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import { termsFrom, type Deps } from '../deps'
import type { CancelOutcome } from '../issuer/issuer'
import { requestCancellation } from '../payment/cancellation'
import { invalidState, type Payment } from '../payment/payment'
import { recordCancellation } from '../payment/payment-outcome'
import { beginOperation, saveOutcome } from '../payment-store/payment-store'

/** Saves the intention, asks the issuer to give the whole amount back, and saves the answer. */
export async function cancelPayment(
  deps: Deps,
  { sellerId, paymentId: id }: GetPaymentRequest,
): Promise<Replayable<VoucherPayment>> {
  const mark = newMark(sellerId)
  const terms = termsFrom(deps, mark.operationId)
  const begun = await beginOperation(deps.pool, mark, { sellerId, id }, (payment) =>
    requestCancellation(payment, terms),
  )
  if ('replayed' in begun) return begun
  const { payment } = begun
  const outcome = await sendCancellation(deps, payment, terms.deadline)
  const saved = await saveOutcome(deps.pool, payment, (current) =>
    recordCancellation(
      current,
      terms.operationId,
      heardInTime(current, terms.deadline, outcome),
      databaseNow(),
    ),
  )
  if (outcome.result === 'refused' || outcome.result === 'not_sent') throw notDone(saved.payment, outcome)
  return { response: saved.answer, replayed: false }
}

/** A call that was not done says nothing of the cancellation once the sweeper has sent it again. */
function heardInTime({ operation }: Payment, deadline: number, outcome: CancelOutcome): CancelOutcome {
  const isSentAgain = (operation?.dispatchDeadline ?? 0) > deadline
  return isSentAgain && outcome.result !== 'done' ? { result: 'unknown' } : outcome
}

/** Asks the issuer to give a payment back, until `deadline` (epoch milliseconds) at the latest. */
export async function sendCancellation(
  { issuers, log }: Pick<Deps, 'issuers' | 'log'>,
  payment: Payment,
  deadline: number,
): Promise<CancelOutcome> {
  const { sellerId, account, brand, operation } = payment
  const issuer = issuers.get(brand)
  const dispatch = { sellerId, account, deadline, requestId: operation?.id ?? '' }
  if (!issuer || databaseNow() >= deadline) return { result: 'not_sent' }
  const outcome = await issuer.cancel(payment, dispatch)
  log.info({ paymentId: payment.id, brand, result: outcome.result }, 'voucher cancellation sent')
  return outcome
}

function notDone(payment: Payment, { result }: CancelOutcome): DomainError {
  return result === 'refused'
    ? invalidState(payment, 'The issuer can no longer cancel this payment.', databaseNow(), [])
    : unavailable('The issuer could not be reached; nothing was canceled.')
}
