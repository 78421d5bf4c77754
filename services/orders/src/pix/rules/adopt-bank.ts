import { pendingOf, type Charge, type Transaction } from '../../charge/charge'
import { NO_REFERENCE, recordAuthorization } from '../../charge/authorization'
import { failure, type FailureCode } from '../../charge/failure'
import { changeOf, fail, withPayment } from '../../charge/transaction'
import { transition, withEvent, type Decision } from '../../charge/transition'
import type { BankCharge } from '../bank/pix-bank'
import { adoptReturn, giveBackOther } from './returns'
import { pixPaymentOf, type Heard, type PixPayment } from './pix-book'

/**
 * The next change of a charge that the bank's answer explains: its payment, its end, the end of one return, or one Pix
 * that is given back, by the operation `operationId`. Undefined: it explains none.
 */
export function adoptBank(charge: Charge, heard: Heard, operationId: string): Decision | undefined {
  const payment = pixPaymentOf(charge)
  const [authorization] = pendingOf(charge, 'AUTHORIZATION')
  return (
    (authorization && adoptRegistration(charge, payment, authorization, heard)) ??
    adoptReturn(charge, payment, heard) ??
    giveBackOther(charge, payment, heard, operationId)
  )
}

/**
 * Records the bank's registration of a charge, and answers its request, if the caller is gone. It may have been paid
 * meanwhile: the next look shows it.
 */
export function registered(charge: Charge, copyAndPaste: string, at: number): Decision {
  const { pix } = pixPaymentOf(charge)
  const isNews = charge.status === 'PENDING' && pix.copyAndPaste === null
  const known = isNews ? withPayment(charge, 0, { pix: { ...pix, copyAndPaste } }) : charge
  const decision = withEvent(transition(charge, changeOf(known), at), isNews ? 'charge.pending' : undefined)
  const asked = pendingOf(charge, 'AUTHORIZATION').map(({ operationId }) => operationId)
  return { ...decision, marks: { answered: asked, freed: [] } }
}

/** Cancels a charge: ends the time in which it may be paid, at a moment. The bank is asked at once, and withdraws it. */
export function cancelled(charge: Charge, at: number): Decision {
  const { pix } = pixPaymentOf(charge)
  const over = withPayment(charge, 0, {
    pix: { ...pix, expiresAt: Math.min(pix.expiresAt, at), cancelled: true },
  })
  return transition(charge, { ...changeOf(over), askAt: at }, at)
}

/** True when nobody may pay a charge any more that the bank still lets them pay. */
export function isToWithdraw(charge: Charge, { bank, at }: Heard): boolean {
  if (bank?.state !== 'open') return false
  return charge.status === 'PENDING' ? pixPaymentOf(charge).pix.expiresAt <= at : charge.status === 'FAILED'
}

function adoptRegistration(
  charge: Charge,
  payment: PixPayment,
  authorization: Transaction,
  { bank, at, graceMs }: Heard,
): Decision | undefined {
  const terms = { at, deadline: at, firstAskAt: at }
  if (!bank) {
    const isOver = (authorization.dispatchDeadline ?? at) + graceMs < at
    return isOver ? recordAuthorization(charge, 0, { result: 'not_sent' }, terms) : undefined
  }
  const { copyAndPaste, received, state } = bank
  const paidBy = received.find(({ amount }) => amount === payment.amount)
  if (paidBy) {
    const { endToEndId, payerName, payerDocument } = paidBy
    const pix = { ...payment.pix, copyAndPaste, payerName, payerDocument }
    const reference = { ...NO_REFERENCE, paymentId: endToEndId }
    const known = withPayment(charge, 0, { pix })
    return recordAuthorization(known, 0, { result: 'approved', captured: true, reference }, terms)
  }
  // A bank may say that a charge is paid before it shows the Pix.
  const isOver = state === 'removed' || (state === 'paid' && received.length > 0)
  if (isOver) {
    const ended = fail(charge, authorization.id, failure(whyOver(payment, state)))
    return transition(charge, changeOf(withPayment(ended, 0, { status: 'EXPIRED' })), at)
  }
  return payment.pix.copyAndPaste === null ? registered(charge, copyAndPaste, at) : undefined
}

function whyOver({ pix }: PixPayment, state: BankCharge['state']): FailureCode {
  if (state === 'paid') return 'WRONG_AMOUNT'
  return pix.cancelled ? 'CANCELLED' : 'NOT_PAID'
}
