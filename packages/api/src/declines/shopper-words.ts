/** A sentence that a shop may show to its shopper. */
export type ShopperWords = { pt: string; en: string }

const ANOTHER_CARD: ShopperWords = {
  pt: 'O pagamento não foi aprovado. Use outro cartão.',
  en: 'Your payment was not approved. Please use another card.',
}
const CALL_BANK: ShopperWords = {
  pt: 'O banco não autorizou o pagamento. Fale com o banco ou use outro cartão.',
  en: 'Your bank did not approve this payment. Contact your bank, or use another card.',
}
const TRY_SHORTLY: ShopperWords = {
  pt: 'Não foi possível falar com o banco do cartão. Tente de novo em alguns minutos.',
  en: 'We could not reach your bank. Please try again in a few minutes.',
}
const CHECK_CARD: ShopperWords = {
  pt: 'Confira o número, a validade e o código de segurança do cartão.',
  en: 'Please check the card number, the expiry date and the security code.',
}
const NOT_POSSIBLE: ShopperWords = {
  pt: 'Não foi possível concluir o pagamento. Escolha outra forma de pagamento.',
  en: 'We could not complete your payment. Please choose another payment method.',
}
const LIMIT: ShopperWords = {
  pt: 'O valor é maior que o permitido para este cartão. Fale com o banco ou use outro cartão.',
  en: 'The amount is above the limit of this card. Contact your bank, or use another card.',
}

/** Words by decline code. A code that may point to fraud, loss or theft gets the same words as any refusal. */
const WORDS: Readonly<Record<string, ShopperWords>> = {
  ACCOUNT_CLOSED: ANOTHER_CARD,
  ACQUIRER_PROBLEM: NOT_POSSIBLE,
  CARD_BLOCKED: {
    pt: 'O cartão está bloqueado. Fale com o banco ou use outro cartão.',
    en: 'This card is blocked. Contact your bank, or use another card.',
  },
  CARD_CANCELED: ANOTHER_CARD,
  CARD_NOT_UNLOCKED: {
    pt: 'Desbloqueie o cartão no aplicativo do banco e tente de novo.',
    en: 'Unlock the card in your bank’s app, then try again.',
  },
  CARD_PROBLEM: CALL_BANK,
  CARD_RETAINED: ANOTHER_CARD,
  CASH_UNAVAILABLE: NOT_POSSIBLE,
  CONFIRMED_FRAUD: ANOTHER_CARD,
  COUNT_EXCEEDED: {
    pt: 'O cartão atingiu o limite de compras do período. Tente amanhã ou use outro cartão.',
    en: 'This card has reached its limit of purchases. Try again tomorrow, or use another card.',
  },
  DO_NOT_HONOR: CALL_BANK,
  EXPIRED_CARD: {
    pt: 'O cartão venceu ou a validade está incorreta. Confira a data ou use outro cartão.',
    en: 'The card has expired, or the expiry date is wrong. Check the date, or use another card.',
  },
  FORMAT_ERROR: CHECK_CARD,
  GENERIC_DECLINE: ANOTHER_CARD,
  IDENTITY_CHECK: CALL_BANK,
  INSUFFICIENT_FUNDS: {
    pt: 'O cartão não tem limite ou saldo suficiente. Use outro cartão ou tente mais tarde.',
    en: 'The card does not have enough funds. Use another card, or try again later.',
  },
  INVALID_ACCOUNT: ANOTHER_CARD,
  INVALID_AMOUNT: NOT_POSSIBLE,
  INVALID_CARD: ANOTHER_CARD,
  INVALID_CARD_NUMBER: {
    pt: 'O número do cartão está incorreto. Confira e tente de novo.',
    en: 'The card number is wrong. Check it, then try again.',
  },
  INVALID_INSTALLMENTS: {
    pt: 'Este número de parcelas não é permitido. Escolha menos parcelas.',
    en: 'This number of installments is not allowed. Please choose fewer.',
  },
  INVALID_MERCHANT: NOT_POSSIBLE,
  INVALID_PIN: {
    pt: 'A senha está incorreta. Tente de novo.',
    en: 'The PIN is wrong. Please try again.',
  },
  INVALID_REVERSAL: NOT_POSSIBLE,
  ISSUER_NOT_FOUND: ANOTHER_CARD,
  ISSUER_UNAVAILABLE: TRY_SHORTLY,
  LIFE_CYCLE: ANOTHER_CARD,
  LIMIT_EXCEEDED: LIMIT,
  LOST_CARD: ANOTHER_CARD,
  MONEY_LAUNDERING: NOT_POSSIBLE,
  PIN_NOT_ELIGIBLE: NOT_POSSIBLE,
  PIN_REFUSED: CALL_BANK,
  PIN_TRIES_EXCEEDED: {
    pt: 'A senha foi digitada errada muitas vezes. Fale com o banco ou use outro cartão.',
    en: 'Too many wrong PIN entries. Contact your bank, or use another card.',
  },
  POLICY: CALL_BANK,
  RECURRING_STOPPED: {
    pt: 'A cobrança recorrente foi cancelada para este cartão. Escolha outra forma de pagamento.',
    en: 'Recurring payments were canceled for this card. Please choose another payment method.',
  },
  SECURITY_VIOLATION: CHECK_CARD,
  STOLEN_CARD: ANOTHER_CARD,
  SUSPECTED_FRAUD: CALL_BANK,
  SYSTEM_FAILURE: TRY_SHORTLY,
  TERMINAL_NOT_ALLOWED: NOT_POSSIBLE,
  TIMED_OUT: TRY_SHORTLY,
  TRANSACTION_NOT_ALLOWED: {
    pt: 'Este cartão não permite esta compra. Fale com o banco ou use outro cartão.',
    en: 'This card does not allow this purchase. Contact your bank, or use another card.',
  },
  TRY_AGAIN: TRY_SHORTLY,
  USE_CHIP: ANOTHER_CARD,
  WRONG_CARD_FUNCTION: {
    pt: 'Este cartão não aceita crédito para esta compra. Use outro cartão.',
    en: 'This card cannot be used as a credit card here. Please use another card.',
  },
}

/** The words about a decline that a shop may show, in Portuguese and English. An unknown code gets general words. */
export function shopperWordsOf(code: string): ShopperWords {
  return WORDS[code] ?? ANOTHER_CARD
}

/** True when words were chosen for the code. */
export function hasShopperWords(code: string): boolean {
  return Object.hasOwn(WORDS, code)
}
