/**
 * Mutations that change nothing that a caller could see, each with the reason. `code`: a part of the line as it stands;
 * `mutant`: what stands in place of the mutated part.
 */
export const EQUIVALENT = [
  {
    file: 'packages/platform/src/secret-box.ts',
    code: 'authTagLength: TAG_BYTES',
    mutant: '{}',
    reason: 'a box so short that its tag is shorter does not open either way',
  },
  {
    file: 'packages/platform/src/secret-box.ts',
    code: 'text.trim()',
    mutant: 'text',
    reason: 'base64 is read without its blanks',
  },
  ...['false', '""'].map((mutant) => ({
    file: 'services/vouchers/src/payment/payment-outcome.ts',
    code: "if (outcome.result === 'unknown') return transition(payment, {}, at, answered)",
    mutant,
    reason:
      'an outcome without an amount does not have the one that was asked for, and is recorded the same way',
  })),
  {
    file: 'services/vouchers/src/payment/payment.ts',
    code: 'DAY.format(paidAt) === DAY.format(at)',
    mutant: 'true',
    reason: 'of paidAt !== null: what was never paid has 1970-01-01, which is no day of a payment',
  },
  {
    file: 'services/vouchers/src/payment/settlement.ts',
    code: "return found.result === 'found' && found.state === 'approved'",
    mutant: 'true',
    reason: "of found.result === 'found': what was not found has no state",
  },
  ...['true', '""'].map((mutant) => ({
    file: 'services/vouchers/src/payment/transition.ts',
    code: "moved && status !== 'PENDING'",
    mutant,
    reason: 'nothing moves to PENDING: only the compiler has to hear it',
  })),
]
