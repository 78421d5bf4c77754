import { refusalOf } from '@cofre/api/declines/refusal-table'
import type { Transaction } from './charge'

/** Why a transaction failed. `acquirerCode` is the acquirer's own code; empty when it gave none. */
export type Failure = { code: FailureCode; acquirerCode: string }

/** The explanation of each failure code for a seller. */
const FAILURE_WORDS = {
  DECLINED: 'The payment was declined: see its decline, or the attempt of this transaction.',
  ACQUIRER_REFUSED: 'The acquirer refused the operation. Nothing was done.',
  NOT_SENT: 'The operation did not reach the acquirer. Nothing was done.',
  NOT_DONE: 'The acquirer did not answer, and later confirmed that it had not done the operation.',
  PAYMENT_VOIDED: 'The payment had been voided at the acquirer.',
  NOT_TRIED: 'The payment was not tried, because another payment of the order failed before it.',
  NOT_PAID: 'Nobody paid in time. The bank takes no payment for it any more.',
  CANCELLED: 'You cancelled the charge before it was paid. The bank takes no payment for it any more.',
  WRONG_AMOUNT:
    'The bank closed the charge with a Pix of another amount, which is given back. Ask for a new Pix.',
  NO_ACCOUNT:
    'The seller’s account at the bank is gone, so Cofre cannot ask what became of it. Look at the bank’s statement.',
  CLOSED_BY_OPERATOR: 'The operator of this service closed the operation as failed.',
} as const

export type FailureCode = keyof typeof FAILURE_WORDS

/** Returns a failure; without `acquirerCode` when the acquirer gave none. */
export function failure(code: FailureCode, acquirerCode = ''): Failure {
  return { code, acquirerCode }
}

/**
 * Explains a failure to a seller. Where the acquirer refused an authorization, it names the member that it did not take.
 * The same code means something else for a capture or a refund.
 */
export function failureWords(
  { code, acquirerCode }: Failure,
  { type, amount }: Pick<Transaction, 'type' | 'amount'>,
): string {
  const words = FAILURE_WORDS[code]
  const isSale = code === 'ACQUIRER_REFUSED' && type === 'AUTHORIZATION'
  const refusal = isSale ? refusalOf(acquirerCode, amount) : undefined
  return refusal ? `${words} ${refusal.message} Check ${refusal.member}.` : words
}
