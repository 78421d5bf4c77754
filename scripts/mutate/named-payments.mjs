const CHECKOUT = 'services/gateway/src/payers/checkout'
const CHECKOUT_TESTS = 'services/gateway/test/checkout'
const INVOICES = 'services/invoices/src'
const TESTS = 'services/invoices/test'

/** The named mutations of paying an invoice: by card, by boleto, at the checkout, and money that goes back. */
export const NAMED_PAYMENTS = [
  // Cards.
  {
    what: 'a payment that orders still work on is taken as refused',
    file: `${INVOICES}/cards/orders.ts`,
    old: "error instanceof DomainError && error.reason !== 'OUTCOME_UNKNOWN' && error.kind !== 'conflict'",
    now: "error instanceof DomainError && error.reason !== 'OUTCOME_UNKNOWN'",
    tests: [`${TESTS}/payments/resolve.test.ts`],
  },
  {
    what: 'a payment counts as given back without the fee that its payer bore',
    file: `${INVOICES}/cards/rules/card-payment.ts`,
    old: 'outcome.refundedAmount >= transaction.amount)',
    now: 'outcome.refundedAmount >= transaction.payable)',
    tests: [`${TESTS}/payments/raced.test.ts`],
  },
  {
    what: 'the event of a payment that failed later is not written',
    file: `${INVOICES}/dunning/follow-attempt.ts`,
    old: 'const isNotified = ended.isNotified || endsCharging(invoice, followed)',
    now: 'const isNotified = endsCharging(invoice, followed)',
    tests: [`${TESTS}/payments/resolve.test.ts`],
  },
  {
    what: 'a refund that the acquirer refuses is tried for ever',
    file: `${INVOICES}/cards/refused-refund.ts`,
    old: 'return delay === undefined ? null : at + delay',
    now: 'return at + (delay ?? 24 * HOUR_MS)',
    tests: [`${TESTS}/payments/refused-refunds.test.ts`],
    only: 'ever more rarely',
  },
  {
    what: 'a card pays an invoice, and its boleto stays open',
    file: `${INVOICES}/money/asks.ts`,
    old: "status !== 'PAID' && status !== 'CANCELLED' && !isMoved",
    now: "status !== 'CANCELLED'",
    tests: [`${TESTS}/boleto/beside-cards.test.ts`],
  },
  // 3-D Secure.
  {
    what: 'the issuer asks the payer to agree to the price without the fee',
    file: `${INVOICES}/cards/three-d-secure/start-authentication.ts`,
    old: 'return { amount, publicId: invoice.publicId }',
    now: 'return { amount: payable, publicId: invoice.publicId }',
    tests: [`${TESTS}/three-d-secure/challenge.test.ts`],
  },
  {
    what: 'a card that is to be kept is destroyed while its payment is pending',
    file: `${INVOICES}/cards/three-d-secure/challenge-store.ts`,
    old: "keep_card_id = $3 AND status = 'PENDING' RETURNING",
    now: "keep_card_id = $3 AND status = 'SUCCEEDED' RETURNING",
    tests: [`${TESTS}/three-d-secure/challenge.test.ts`],
    only: 'card',
  },
  // Boletos.
  {
    what: 'a notice that the bank did not sign is money',
    file: `${INVOICES}/money/rpc/take-bank-notice.ts`,
    old: '  checkSignature(secret, body, headers)\n',
    now: '',
    tests: [`${TESTS}/boleto/receipts.test.ts`],
    only: 'a notice without the bank',
  },
  {
    what: 'money of one account hides money of another with the same number of the bank',
    file: `${INVOICES}/money/receipt-store.ts`,
    old: "'SELECT FROM receipts WHERE method = $1 AND account = $2 AND bank_id = $3'",
    now: "'SELECT FROM receipts WHERE method = $1 AND $2::text IS NOT NULL AND bank_id = $3'",
    tests: [`${TESTS}/boleto/receipts.test.ts`],
  },
  {
    what: 'a boleto is shown whose digitable line is not ours',
    file: `${INVOICES}/boletos/rules/transition.ts`,
    old: 'slip.barcode === barcode && slip.digitableLine === digitableLineOf(barcode)',
    now: 'slip.barcode === barcode',
    tests: [`${TESTS}/boleto/issue.test.ts`],
    only: 'nobody sees the boleto',
  },
  {
    what: 'another payer’s slip of the same amount and day is taken for ours',
    file: `${INVOICES}/boletos/rules/transition.ts`,
    old: 'slip.payerDocument === boleto.payer.document',
    now: "slip.payerDocument !== ''",
    tests: [`${TESTS}/boleto/taken-numbers.test.ts`],
    only: 'is unexpected, and it stays',
  },
  {
    what: 'money for a slip that is not known to be ours pays an invoice',
    file: `${INVOICES}/methods/store/registered-asks.ts`,
    old: 'ask?.account === account && isKnown(ask)',
    now: 'ask?.account === account',
    tests: [`${TESTS}/boleto/taken-numbers.test.ts`],
    only: 'is unexpected, and it stays',
  },
  {
    what: 'a withdrawal that the bank did not answer is taken as done',
    file: `${INVOICES}/money/look-at-asks.ts`,
    old: "if (result === 'not_sent' || result === 'unknown') return",
    now: "if (result === 'not_sent') return",
    tests: [`${TESTS}/boleto/issue.test.ts`],
  },
  {
    what: 'the 404 of a proxy is taken as the word of the bank',
    file: `${INVOICES}/boletos/bank/rest-bank.ts`,
    old: "if (status === 404 && refusalOf(body) === 'BOLETO_NAO_ENCONTRADO') return { result: 'absent' }\n  const slip = isDone(status) ? slipOf(body) : undefined\n  return slip ? {",
    now: "if (status === 404) return { result: 'absent' }\n  const slip = isDone(status) ? slipOf(body) : undefined\n  return slip ? {",
    tests: [`${TESTS}/boleto/issue.test.ts`],
  },
  {
    what: 'a boleto is issued while a card is charged for its invoice',
    file: `${INVOICES}/invoice/rules/ask-decision.ts`,
    old: '  if (isBeingPaid(invoice)) throw paymentPending()\n',
    now: '',
    tests: [`${TESTS}/boleto/beside-cards.test.ts`],
  },
  {
    what: 'the bank adds the fine from the due date on',
    file: `${INVOICES}/boletos/bank/rest-bank-words.ts`,
    old: 'data: addDays(dueDay, fine.startsAfterDays)',
    now: 'data: dueDay',
    tests: [`${TESTS}/boleto/issue.test.ts`],
    only: 'registered with',
  },
  {
    what: 'a boleto of the first late day asks for no fine',
    file: `${INVOICES}/boletos/rules/terms.ts`,
    old: 'today < invoice.lateOn',
    now: 'today <= invoice.lateOn',
    tests: [`${TESTS}/boleto/terms.test.ts`],
  },
  {
    what: 'money comes in beside another change of its boleto',
    file: `${INVOICES}/methods/store/ask-store.ts`,
    old: "'t.id = $1 FOR UPDATE'",
    now: "'t.id = $1'",
    tests: [`${TESTS}/boleto/receipts.test.ts`],
  },
  // The comparison of books.
  {
    what: 'a charge that took too much agrees with its payment',
    file: `${INVOICES}/books/card-books.ts`,
    old: 'captured === amount ? []',
    now: 'captured >= amount ? []',
    tests: [`${TESTS}/reconciliation/compare-books.test.ts`],
    only: 'money that orders lack',
  },
  {
    what: 'nobody looks for the charge of a payment that was never answered',
    file: `${INVOICES}/books/compare-books.ts`,
    old: "if (!found || found.result === 'absent') return undefined\n  const { chargeId } = found",
    now: "if (!found || found.result !== 'pending') return undefined\n  const { chargeId } = found",
    tests: [`${TESTS}/reconciliation/compare-books.test.ts`],
  },
  // The checkout.
  {
    what: 'a card that its issuer rejects is no try',
    file: `${CHECKOUT}/pay-by-card.ts`,
    old: 'if (!isRejection(error)) tries.takeBack(publicId, address)\n        throw',
    now: 'tries.takeBack(publicId, address)\n        throw',
    tests: [`${CHECKOUT_TESTS}/tries.test.ts`],
  },
  {
    what: 'the page tells of the first card that was tried',
    file: `${CHECKOUT}/page-state.ts`,
    old: 'transactions.findLast(({ type })',
    now: 'transactions.find(({ type })',
    tests: [`${CHECKOUT_TESTS}/pages.test.ts`],
  },
]
