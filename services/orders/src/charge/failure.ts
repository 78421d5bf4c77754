/** Why a transaction failed. `acquirerCode` is the acquirer's own code; empty when it gave none. */
export type Failure = { code: FailureCode; acquirerCode: string }

/** The explanation of each failure code for a seller. */
export const FAILURE_WORDS = {
  DECLINED: 'The payment was declined: see its decline, or the attempt of this transaction.',
  ACQUIRER_REFUSED: 'The acquirer refused the operation. Nothing was done.',
  NOT_SENT: 'The operation did not reach the acquirer. Nothing was done.',
  NOT_DONE: 'The acquirer did not answer, and later confirmed that it had not done the operation.',
  PAYMENT_VOIDED: 'The payment had been voided at the acquirer.',
  NOT_TRIED: 'The payment was not tried, because another payment of the order failed before it.',
  CLOSED_BY_OPERATOR: 'The operator of this service closed the operation as failed.',
} as const

export type FailureCode = keyof typeof FAILURE_WORDS

/** Returns a failure; without `acquirerCode` when the acquirer gave none. */
export function failure(code: FailureCode, acquirerCode = ''): Failure {
  return { code, acquirerCode }
}
