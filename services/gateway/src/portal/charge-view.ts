import { presentCharge, type ChargeJson } from '@cofre/api/charge'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { formatExactTime, formatReais, formatTime } from './brazilian-format'
import {
  ADVICE_WORDS,
  cardWords,
  OUTCOME_BADGES,
  SOURCE_WORDS,
  STATUS_BADGES,
  TRANSACTION_WORDS,
} from './charge-words'

/** Returns a charge as a row of the list. */
export function chargeRow(charge: Charge) {
  const { id, orderReference, status, amount, capturedAmount, refundedAmount, payments, createdAt } =
    presentCharge(charge)
  const [first] = payments
  return {
    id,
    time: formatTime(createdAt),
    reference: orderReference ?? '',
    amount: formatReais(amount),
    captured: capturedAmount > 0 ? formatReais(capturedAmount) : '',
    refunded: refundedAmount > 0 ? formatReais(refundedAmount) : '',
    badge: STATUS_BADGES[status],
    card: first ? cardWords(first.card) : '',
    moreCards: Math.max(0, payments.length - 1),
  }
}

/** Returns a charge for its own page. Its lists leave out unknown facts. */
export function chargePage(charge: Charge) {
  const shown = presentCharge(charge)
  return {
    id: shown.id,
    amount: formatReais(shown.amount),
    badge: STATUS_BADGES[shown.status],
    facts: known([
      ['Authorized', formatReais(shown.authorizedAmount)],
      ['Captured', formatReais(shown.capturedAmount)],
      ['Refunded', formatReais(shown.refundedAmount)],
      ['Order reference', shown.orderReference],
      ['External reference', shown.externalReference],
      ['Created', formatTime(shown.createdAt)],
      ['Last change', formatTime(shown.updatedAt)],
    ]),
    payments: shown.payments.map(paymentBlock),
    transactions: shown.transactions.map((transaction) => ({
      time: formatExactTime(transaction.createdAt),
      type: TRANSACTION_WORDS[transaction.type],
      amount: formatReais(transaction.amount),
      badge: OUTCOME_BADGES[transaction.status],
      note: noteOf(transaction),
    })),
    metadata: Object.entries(shown.metadata).map(([key, value]) => [key, String(value)] as const),
  }
}

/** Returns why a transaction failed, with the acquirer's code, or else the seller's reason for the refund. */
function noteOf({ failure, reason }: ChargeJson['transactions'][number]): string {
  if (!failure) return reason ?? ''
  return failure.acquirerCode === null ? failure.message : `${failure.message} (${failure.acquirerCode})`
}

type Payment = ChargeJson['payments'][number]

function paymentBlock(payment: Payment) {
  const { card, acquirer, decline } = payment
  return {
    card: cardWords(card),
    amount: formatReais(payment.amount),
    badge: STATUS_BADGES[payment.status],
    facts: known([
      ['Paid with', SOURCE_WORDS[card.source]],
      ['Installments', instalmentWords(payment)],
      ['Authorization code', acquirer.authorizationCode],
      ['NSU', acquirer.nsu],
      ['TID', acquirer.tid],
      ['Acquirer payment id', acquirer.paymentId],
      ['Acquirer order number', acquirer.orderNumber],
      ['Return code', acquirer.returnCode],
    ]),
    decline: decline && {
      message: decline.message,
      code: decline.acquirerCode,
      advice: ADVICE_WORDS[decline.advice],
    },
  }
}

/** "3 × R$ 10,00", or "R$ 10,01 + 2 × R$ 10,00" when the cents do not divide. */
function instalmentWords({ installmentAmounts: [first = 0, next = first], installments }: Payment): string {
  if (installments <= 1) return 'Paid in full'
  return first === next
    ? `${installments} × ${formatReais(first)}`
    : `${formatReais(first)} + ${installments - 1} × ${formatReais(next)}`
}

type Fact = readonly [name: string, value: string | number | null]

function known(facts: readonly Fact[]): Fact[] {
  return facts.filter(([, value]) => value !== null && value !== '')
}
