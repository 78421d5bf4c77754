import { pendingOf, type Charge, type Transaction } from '../../charge/charge'
import { failure } from '../../charge/failure'
import { changeOf, fail, withPayment } from '../../charge/transaction'
import { transition, withEvent, type Decision } from '../../charge/transition'
import { pixPaymentOf } from './pix-book'

/** So long Cofre waits for the return of a seller's account: alone it can say what became of a Pix. */
const ACCOUNT_AWAITED_MS = 7 * 86_400_000

/**
 * Gives up an operation of a charge whose seller's account is gone: a return a week after it was asked for, the payment
 * a week after nobody can pay any more. Undefined: none is so old.
 */
export function withoutAccount(charge: Charge, at: number): Decision | undefined {
  const isOld = (since: number) => since + ACCOUNT_AWAITED_MS <= at
  const { expiresAt } = pixPaymentOf(charge).pix
  const isOver = ({ type, createdAt }: Transaction) => isOld(type === 'AUTHORIZATION' ? expiresAt : createdAt)
  const over = pendingOf(charge, 'AUTHORIZATION', 'REFUND', 'VOID').find(isOver)
  if (!over) return undefined
  const failed = fail(charge, over.id, failure('NO_ACCOUNT'))
  const isPayment = over.type === 'AUTHORIZATION'
  const ended = isPayment ? withPayment(failed, over.position, { status: 'EXPIRED' }) : failed
  const decision = transition(charge, changeOf(ended), at)
  return withEvent(decision, over.type === 'VOID' ? 'charge.void_failed' : undefined)
}
