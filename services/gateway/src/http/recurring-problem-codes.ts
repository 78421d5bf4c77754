import type { ProblemCode } from './problem-codes'

/** The error codes of operations on recurring invoices and their automatic charges. */
export const RECURRING_PROBLEM_CODES = {
  AUTOMATIC_CHARGE_REFUSED: {
    status: 422,
    title: 'No card can be charged for the invoice now',
    meaning:
      'Nothing was charged. The member reason says why, in the words of automaticCharge.reason: no card, an expired one, a limit of its brand, or money that waits for you.',
  },
  PIX_PERMISSION_OPEN: {
    status: 422,
    title: 'The payer’s permission for Pix Automático forbids this change',
    meaning:
      'The payer permitted fixed days, and often a fixed amount. End the permission first, and ask for a new one after the change.',
  },
} as const satisfies Record<string, ProblemCode>
