import type { ChargeJson } from '@cofre/api/charge'
import type { Block } from '../desk/thing'
import type { Word } from './portuguese'
import { word, type Value } from './value'
import { ADVICE } from './charge-words'

type Decline = NonNullable<ChargeJson['payments'][number]['decline']>
type Failure = NonNullable<ChargeJson['transactions'][number]['failure']>

/** Why cards are declined, for a shop's people, by our code. Several codes may mean the same to them. */
export const REASONS: Readonly<Record<string, Word>> = {
  DO_NOT_HONOR: 'The issuer said no without a reason',
  INSUFFICIENT_FUNDS: 'Not enough limit or balance',
  LIMIT_EXCEEDED: 'Above the limit of the card',
  COUNT_EXCEEDED: 'The card was used too often',
  INVALID_PIN: 'Wrong PIN',
  PIN_TRIES_EXCEEDED: 'Wrong PIN',
  SUSPECTED_FRAUD: 'Suspicion of fraud',
  CONFIRMED_FRAUD: 'Suspicion of fraud',
  SECURITY_VIOLATION: 'Wrong security code or card data',
  INVALID_CARD_NUMBER: 'Wrong card number',
  EXPIRED_CARD: 'Expired card, or a wrong expiry date',
  INVALID_CARD: 'The card is not valid',
  LIFE_CYCLE: 'The card is not valid',
  ACCOUNT_CLOSED: 'The card is not valid',
  INVALID_ACCOUNT: 'The card is not valid',
  CARD_CANCELED: 'Lost, stolen or cancelled card',
  LOST_CARD: 'Lost, stolen or cancelled card',
  STOLEN_CARD: 'Lost, stolen or cancelled card',
  CARD_RETAINED: 'Lost, stolen or cancelled card',
  CARD_BLOCKED: 'Blocked card',
  CARD_NOT_UNLOCKED: 'Blocked card',
  CARD_PROBLEM: 'A problem with the card',
  TRANSACTION_NOT_ALLOWED: 'The card does not allow this payment',
  POLICY: 'The card does not allow this payment',
  WRONG_CARD_FUNCTION: 'The card does not allow this payment',
  RECURRING_STOPPED: 'The holder stopped these payments',
  IDENTITY_CHECK: 'The issuer asks for authentication',
  ISSUER_UNAVAILABLE: 'The issuer did not answer',
  TIMED_OUT: 'The issuer did not answer',
  SYSTEM_FAILURE: 'The issuer did not answer',
  ISSUER_NOT_FOUND: 'The issuer is not known',
  ACQUIRER_PROBLEM: 'The acquirer refused the payment',
  INVALID_MERCHANT: 'The acquirer refused the payment',
  INVALID_INSTALLMENTS: 'The acquirer refused the payment',
}

/** Why a card was declined: in words where we know the code, else as the acquirer says it. */
export function declineWords({ code, message }: { code: string; message: string }): Value {
  const known = REASONS[code]
  return known === undefined ? message : word(known)
}

const CALL_THE_BANK =
  'Ask the customer to call the card’s bank and allow the purchase, or to pay with another card or by Pix.'
const UNLOCK =
  'Ask the customer to unlock the card in the bank’s app, or to call the bank. Or to pay with another card or by Pix.'
const LESS_OR_ANOTHER = 'Ask the customer for another card, a smaller amount or Pix.'
const IN_A_MOMENT = 'The card’s bank did not answer. Ask the customer to try again in a few minutes.'

/** What a clerk asks of the customer, where the reason says more than the advice to try later. */
const TO_ASK: Readonly<Record<string, Word>> = {
  DO_NOT_HONOR: CALL_THE_BANK,
  SUSPECTED_FRAUD: CALL_THE_BANK,
  TRANSACTION_NOT_ALLOWED: CALL_THE_BANK,
  CARD_PROBLEM: CALL_THE_BANK,
  PIN_TRIES_EXCEEDED: CALL_THE_BANK,
  CARD_BLOCKED: UNLOCK,
  CARD_NOT_UNLOCKED: UNLOCK,
  INSUFFICIENT_FUNDS: LESS_OR_ANOTHER,
  LIMIT_EXCEEDED: LESS_OR_ANOTHER,
  COUNT_EXCEEDED: 'Ask the customer for another card or Pix, or to try again tomorrow.',
  WRONG_CARD_FUNCTION: 'Ask the customer for a credit card, or to pay by Pix.',
  ISSUER_UNAVAILABLE: IN_A_MOMENT,
  SYSTEM_FAILURE: IN_A_MOMENT,
  TIMED_OUT: IN_A_MOMENT,
  TRY_AGAIN: IN_A_MOMENT,
}

/** Reasons that the card brands forbid to tell: the customer may be who stole the card. */
const UNTOLD: ReadonlySet<string> = new Set([
  'CARD_CANCELED',
  'CARD_RETAINED',
  'CONFIRMED_FRAUD',
  'LOST_CARD',
  'MONEY_LAUNDERING',
  'STOLEN_CARD',
  'SUSPECTED_FRAUD',
])

/** A decline as a clerk needs it at the phone: why, what to ask the customer, and what to keep silent about. */
export function declineAlert(decline: Decline): NonNullable<Block['alert']> {
  const { code, acquirerCode, advice } = decline
  return {
    title: declineWords(decline),
    code: acquirerCode,
    text: word((advice === 'TRY_LATER' ? TO_ASK[code] : undefined) ?? ADVICE[advice]),
    ...(UNTOLD.has(code) && {
      warning: word('Do not tell the customer this reason: say that the bank did not approve the payment.'),
    }),
  }
}

const FAILURES: Readonly<Record<string, Word>> = {
  DECLINED: 'Declined by the card’s bank',
  ACQUIRER_REFUSED: 'The acquirer refused it. Nothing was done.',
  NOT_SENT: 'It did not reach the acquirer. Nothing was done.',
  NOT_DONE: 'The acquirer confirmed later that it had not done it.',
  PAYMENT_VOIDED: 'The payment had been voided at the acquirer.',
  NOT_TRIED: 'Not tried: another payment of the order failed before it.',
  NOT_PAID: 'Nobody paid in time.',
  CANCELLED: 'The charge was cancelled before it was paid.',
  WRONG_AMOUNT: 'A Pix of another amount came, and is given back. Ask for a new Pix.',
  NO_ACCOUNT: 'The account at the bank is gone. Look at the bank’s statement.',
  CLOSED_BY_OPERATOR: 'Closed as failed by the operator of Cofre.',
}

/** Why a transaction failed, with the acquirer's code. `decline`: of its payment, which may be of a later attempt. */
export function failureWords(failure: Failure, decline: Decline | null): Value {
  const { code, message, acquirerCode } = failure
  const known = FAILURES[code]
  const isOfIt = code === 'DECLINED' && decline !== null && decline.acquirerCode === acquirerCode
  const why = isOfIt ? declineWords(decline) : known === undefined ? message : word(known)
  return acquirerCode === null ? why : word('{why} (code {code})', { why, code: acquirerCode })
}
