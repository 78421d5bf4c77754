import type { ProblemCode } from './problem-codes'

/** The error codes of operations on charges and disputes. */
export const CHARGE_PROBLEM_CODES = {
  CAPTURE_EXCEEDS_AUTHORIZED: {
    status: 422,
    title: 'Capture exceeds the authorized amount',
    meaning: 'You can capture at most the authorized amount.',
  },
  CAPTURE_BELOW_INSTALLMENTS: {
    status: 422,
    title: 'Capture leaves an installment of nothing',
    meaning:
      'Each installment is at least one cent. Capture a payment for at least as many cents as it has installments.',
  },
  REFUND_EXCEEDS_CAPTURED: {
    status: 422,
    title: 'Refund exceeds the captured amount',
    meaning:
      'You can refund at most the captured amount, or what a Pix paid, less all refunds that succeeded or are pending.',
  },
  PARTIAL_VOID_UNSUPPORTED: {
    status: 422,
    title: 'An authorization can only be voided in full',
    meaning:
      'Before capture, a refund voids the whole authorization. To keep a part, capture that part instead.',
  },
  INVALID_CHARGE_STATE: {
    status: 422,
    title: 'The state of the charge does not allow this',
    meaning: 'See currentStatus and allowedActions in the problem for the actions that are possible.',
  },
  CHARGE_DISPUTED: {
    status: 422,
    title: 'The money is disputed',
    meaning:
      'The card holder disputes the charge, and the issuer already took the disputed amount: a refund would give it back twice. You can still refund what is not disputed.',
  },
  INVALID_DISPUTE_STATE: {
    status: 422,
    title: 'The state of the dispute does not allow this',
    meaning:
      'You can answer a dispute once, while it is NEEDS_RESPONSE. Read it: another answer may be on its way, or was given at the acquirer.',
  },
  DISPUTE_ANSWER_REFUSED: {
    status: 422,
    title: 'The acquirer did not take the answer',
    meaning:
      'Nothing was done. The problem has the code of the acquirer. Code 903 is about the file: its pages, its size or its resolution.',
  },
} as const satisfies Record<string, ProblemCode>
