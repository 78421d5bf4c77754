import { listDeclines } from '@cofre/api/declines/decline-table'
import type { Advice } from '@cofre/api/declines/decline-table'
import { REFUSALS, VERIFICATION_REFUSAL } from '@cofre/api/declines/refusal-table'
import { shopperWordsOf } from '@cofre/api/declines/shopper-words'

/** The next step of an integrator, by advice. */
export const ADVICE: Readonly<Record<Advice, { title: string; when: string }>> = {
  TRY_LATER: {
    title: 'Try again later',
    when: 'You can charge the same card again, some hours later. Stop after a few attempts: Visa charges a fee for more than 15 in 30 days.',
  },
  USE_ANOTHER_CARD: {
    title: 'Ask for another card',
    when: 'Do not charge this card again. Ask the shopper for another card.',
  },
  FIX_DATA: {
    title: 'Correct the data',
    when: 'Ask the shopper to correct the card data. Then send a new charge.',
  },
  DO_NOT_RETRY: {
    title: 'Do not try again',
    when: 'Do not charge this card again for this purchase. Card brands fine further attempts.',
  },
}

/** How to see a code in the sandbox: a card that always declines with it, or the issuer's code for the next sale. */
const SANDBOX: Readonly<Record<string, string>> = {
  DO_NOT_HONOR: 'Card 4111 1111 1111 1152',
  TRANSACTION_NOT_ALLOWED: 'Card 4111 1111 1111 1103',
  CARD_NOT_UNLOCKED: 'Card 4111 1111 1111 1145',
  TIMED_OUT: 'Card 4111 1111 1111 1186',
  CARD_CANCELED: 'Card 4111 1111 1111 1137',
  CARD_PROBLEM: 'Card 4111 1111 1111 1178',
  INSUFFICIENT_FUNDS: 'Next decline 51',
  EXPIRED_CARD: 'Next decline 54',
  INVALID_CARD_NUMBER: 'Next decline 14',
  LIMIT_EXCEEDED: 'Next decline 61',
  COUNT_EXCEEDED: 'Next decline 65',
  SUSPECTED_FRAUD: 'Next decline 59',
  LOST_CARD: 'Next decline 41',
  STOLEN_CARD: 'Next decline 43',
  ACCOUNT_CLOSED: 'Next decline 46',
  ISSUER_UNAVAILABLE: 'Next decline 91',
  SYSTEM_FAILURE: 'Next decline 96',
}

/** Every code with its messages, its advice, its words for the shopper and a way to see it in the sandbox. */
export function declineRows() {
  return listDeclines().map(({ code, rules }) => ({
    code,
    messages: [...new Set(rules.map(({ message }) => message))],
    advice: [...new Set(rules.map(({ advice }) => advice))],
    shopper: shopperWordsOf(code),
    sandbox: SANDBOX[code],
  }))
}

/** The acquirer's codes of a payment that it refused because of a member of the request, with that member. */
export function refusalRows() {
  return [...REFUSALS, VERIFICATION_REFUSAL].map(({ codes, member, message }) => ({ codes, member, message }))
}
