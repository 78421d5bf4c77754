import { OF_CARD_NUMBERS } from './equivalents-cards.mjs'

/**
 * Mutations without an effect that a caller could see, each with the reason. `code` is a part of the original line;
 * `mutant` is the text that replaces the mutated part.
 */
export const EQUIVALENT = [
  ...OF_CARD_NUMBERS,
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
  {
    file: 'packages/platform/src/grpc/allow-callers.ts',
    code: '.stream?.session',
    mutant: '(call as { stream?: { session?: object | null; }; }).stream.session',
    reason: 'the grpc-js of today has the stream of each call: only one that hides it would be noticed',
  },
  ...['true', 'false'].map((mutant) => ({
    file: 'packages/platform/src/grpc/allow-callers.ts',
    code: 'if (session) known.set(session, names)',
    mutant,
    reason: 'names that are not remembered are read again, and the connection is there with this grpc-js',
  })),
  {
    file: 'packages/platform/src/grpc/allow-callers.ts',
    code: 'sslPeerCertificate?.subjectaltname',
    mutant: '["Stryker was here"]',
    reason: 'no caller has that name either',
  },
  {
    file: 'packages/platform/src/grpc/allow-callers.ts',
    code: 'sslPeerCertificate?.subjectaltname',
    mutant: 'call.getAuthContext().sslPeerCertificate.subjectaltname',
    reason: 'TLS lets nobody in without a certificate',
  },
  {
    file: 'packages/platform/src/grpc/allow-callers.ts',
    code: 'if (caller !== undefined) metadata.set(CALLER, caller)',
    mutant: 'true',
    reason: 'a call that is refused goes nowhere; health and reflection, open to all, read no caller',
  },
  {
    file: 'packages/platform/src/idempotency/mark.ts',
    code: 'if (!mark.key) return undefined',
    mutant: 'false',
    reason: 'of answerOfKey: one statement more, which finds no mark. Of insertMark it is noticed',
  },
  {
    file: 'packages/platform/src/idempotency/mark.ts',
    code: 'rows[0]?.marked',
    mutant: 'rows[0].marked',
    reason: 'SELECT EXISTS answers one row',
  },
  {
    file: 'packages/platform/src/idempotency/find-request.ts',
    code: 'currentCall()?.idempotency',
    mutant: 'currentCall().idempotency',
    reason: 'an RPC is always served within a call',
  },
  {
    file: 'packages/platform/src/idempotency/find-request.ts',
    code: 'repeat ? fingerprintsOf(repeat) : []',
    mutant: '["Stryker was here"]',
    reason: 'no mark has that fingerprint either',
  },
  {
    file: 'packages/platform/src/idempotency/idempotency.ts',
    code: 'if (mark.key) await answerMark',
    mutant: 'true',
    reason: 'one statement more, which finds no mark',
  },
  {
    file: 'services/orders/src/charge/authorization.ts',
    code: 'if (!untried) return authorized',
    mutant: 'false',
    reason:
      'without another payment nobody gets a turn; when to ask follows from what is pending, which is nothing',
  },
  {
    file: 'services/orders/src/charge/transition.ts',
    code: 'status === payment.status ? payment : { ...payment, status }',
    mutant: 'false',
    reason: 'a payment with the status that it has is the same payment',
  },
  ...['"Stryker was here!"', 'charge.transactions.at(-1).operationId'].map((mutant) => ({
    file: 'services/orders/src/charge/transition.ts',
    code: "charge.transactions.at(-1)?.operationId ?? ''",
    mutant,
    reason: 'a charge has a transaction from its first moment: only the compiler has to hear it',
  })),
  {
    file: 'services/orders/src/charge/refund-explanation.ts',
    code: 'if (difference < 0) return undefined',
    mutant: 'false',
    reason: 'no refund is as small as a negative rest: the search ends without an explanation',
  },
  {
    file: 'services/orders/src/charge/refund-explanation.ts',
    code: 'const way = from * PLACE + left',
    mutant: 'from * PLACE - left',
    reason: 'an amount is smaller than PLACE: each place and amount still make a number of their own',
  },
  {
    file: 'services/orders/src/charge/refund-explanation.ts',
    code: 'of.failed.size >= FAILED_MAX',
    mutant: 'of.failed.size > FAILED_MAX',
    reason: 'one way more of 100,000 before the search gives up',
  },
  {
    file: 'services/orders/src/charge/refund-explanation.ts',
    code: 'if (!without) of.failed.add(way)',
    mutant: 'true',
    reason: 'a search that found a way ends, and asks no more which ways failed',
  },
  {
    file: 'services/orders/src/charge/refund-explanation.ts',
    code: 'const sums: number[] = []',
    mutant: '["Stryker was here"]',
    reason: 'it stands behind the last refund, where no sum is read',
  },
  {
    file: 'services/orders/src/charge/operation-outcome.ts',
    code: "if (verdict === 'UNSENT' && outcome?.result === 'busy')",
    mutant: 'outcome.result',
    reason: 'what was not sent has an outcome: only the compiler has to hear it',
  },
  ...['"Stryker was here!"', 'true', 'outcome.result'].map((mutant) => ({
    file: 'services/orders/src/charge/operation-outcome.ts',
    code: "outcome?.result === 'refused' ? outcome.code : ''",
    mutant,
    reason: 'only a refusal fails this way: the other side is for the compiler',
  })),
  {
    file: 'services/orders/src/charge/operation-mark.ts',
    code: 'if (ended.length === 0) return NO_MARKS',
    mutant: 'false',
    reason: 'of no operations none is answered and none freed',
  },
  {
    file: 'services/orders/src/charge/second-look.ts',
    code: "const held = found.result === 'found' &&",
    mutant: 'true',
    reason: 'what was not found has no state',
  },
  {
    file: 'services/orders/src/charge/second-look.ts',
    code: "if (found.result === 'found' && held) {",
    mutant: 'true',
    reason: 'what is held was found: only the compiler has to hear it',
  },
  {
    file: 'services/orders/src/charge/second-look.ts',
    code: "const isSame = found.result === 'found' &&",
    mutant: 'true',
    reason: 'what was not found has no state',
  },
  ...['true', 'false', "state !== 'captured'", '""'].map((mutant) => ({
    file: 'services/orders/src/charge/second-look.ts',
    code: "captured: state === 'captured', reference",
    mutant,
    reason: 'a late approval is voided whole, captured or not',
  })),
  {
    file: 'services/orders/src/charge/refund.ts',
    code: 'if (amount !== undefined && amount > held)',
    mutant: 'true',
    reason: 'no amount is not more than what is held',
  },
  {
    file: 'services/orders/src/charge/refund.ts',
    code: 'if (amount !== undefined && amount < held)',
    mutant: 'true',
    reason: 'no amount is not less than what is held',
  },
  {
    file: 'services/orders/src/charge/release.ts',
    code: 'const mayLeave = dispatchDeadline === null ||',
    mutant: 'false',
    reason: 'null compares as 0, which is long past',
  },
  {
    file: 'services/orders/src/charge/settlement.ts',
    code: "return { result: 'refused', code }",
    mutant: '""',
    reason: 'each result but those named before is recorded as a refusal',
  },
  {
    file: 'services/orders/src/charge/settlement.ts',
    code: 'return dispatchDeadline !== null && dispatchDeadline + graceMs < askedAt',
    mutant: 'true',
    reason: 'what is asked about has a deadline: only the compiler has to hear it',
  },
  {
    file: 'services/orders/src/charge/resolution.ts',
    code: "fail(charge, id, failure('CLOSED_BY_OPERATOR'))",
    mutant: '""',
    reason: 'the failure is written once more with who closed the operation',
  },
  ...['{}', '""', '"Stryker was here!"'].map((mutant) => ({
    file: 'services/orders/src/charge/resolution.ts',
    code: "{ result: 'refused', code: '' }",
    mutant,
    reason: 'why it failed is written over: it was closed by hand',
  })),
  {
    file: 'services/orders/src/charge/resolution.ts',
    code: 'if (!payment) throw notFound()',
    mutant: 'false',
    reason: 'a transaction has its payment: only the compiler has to hear it',
  },
  ...['services/orders/src/charge/resolution.ts', 'services/vouchers/src/payment/resolution.ts'].map(
    (file) => ({
      file,
      code: 'dispatchDeadline !== null &&',
      mutant: 'true',
      reason: 'null compares as 0, which is long past',
    }),
  ),
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
