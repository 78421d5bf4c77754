/** Whether the same card may be tried again: later, with corrected data, or never. */
export type Advice = 'TRY_LATER' | 'USE_ANOTHER_CARD' | 'DO_NOT_RETRY' | 'FIX_DATA'

export type DeclineRule = { code: string; message: string; retryable: boolean; advice: Advice }

type Line = [code: string, message: string, advice: Advice, retryable: boolean, codes: string]

/**
 * ABECS Normativo 21 as the acquirer publishes it (2024-06), made stricter where a brand's retry programme is: Visa
 * category 1 and Elo AB and AC are final. The same number means different things by brand, so codes carry their
 * brand's letter: Elo, Visa, Mastercard and Hipercard, Amex; X for any other brand, where the three agree.
 */
const LINES: Line[] = [
  // May be tried again.
  ['DO_NOT_HONOR', 'The issuer did not authorize the payment.', 'TRY_LATER', true, 'E5 V5 M5 X5 A100'],
  [
    'INSUFFICIENT_FUNDS',
    'The card does not have enough limit or balance for this amount.',
    'TRY_LATER',
    true,
    'E51 V51 M51 X51 A116 A121',
  ],
  ['INVALID_PIN', 'The password is wrong.', 'FIX_DATA', true, 'E55 V55 V86 M55 X55 A117'],
  ['PIN_TRIES_EXCEEDED', 'Too many wrong passwords.', 'TRY_LATER', true, 'E38 E75 V75 M75 X75 A106'],
  ['PIN_REFUSED', 'The new password was refused.', 'TRY_LATER', true, 'EP6'],
  [
    'SUSPECTED_FRAUD',
    'The issuer suspects fraud. The cardholder should call the issuer.',
    'TRY_LATER',
    true,
    'E59 V59',
  ],
  ['SECURITY_VIOLATION', 'The issuer could not verify the card.', 'FIX_DATA', true, 'M63'],
  ['TRANSACTION_NOT_ALLOWED', 'The card does not allow this payment.', 'TRY_LATER', true, 'M57'],
  ['TRY_AGAIN', 'The issuer asks to try again.', 'TRY_LATER', true, 'E4 E6'],
  ['LIMIT_EXCEEDED', 'The amount exceeds the limit of the card.', 'TRY_LATER', true, 'E61 V61 VN4 M61 X61'],
  ['COUNT_EXCEEDED', 'The card was used too often.', 'TRY_LATER', true, 'E65 V65 M65 X65'],
  ['CARD_BLOCKED', 'The card is blocked for now.', 'TRY_LATER', true, 'V62'],
  [
    'CARD_NOT_UNLOCKED',
    'The cardholder has not unlocked this card yet, or has blocked it in the bank’s app.',
    'TRY_LATER',
    true,
    'E78 V78 X78',
  ],
  ['ISSUER_UNAVAILABLE', 'The issuer does not answer.', 'TRY_LATER', true, 'E91 V91 M91 X91 A912 VN0'],
  [
    'SYSTEM_FAILURE',
    'A system between the acquirer and the issuer failed.',
    'TRY_LATER',
    true,
    'E96 V96 M96 X96 A911',
  ],
  ['WRONG_CARD_FUNCTION', 'Use the other function of the card.', 'TRY_LATER', true, 'V52 V53 V39 VB1 VB2'],
  // Final, for this card or for these data.
  ['WRONG_CARD_FUNCTION', 'Use the other function of the card.', 'DO_NOT_RETRY', false, 'EAB EAC'],
  ['CARD_BLOCKED', 'The card is blocked for now.', 'DO_NOT_RETRY', false, 'E62'],
  [
    'TRANSACTION_NOT_ALLOWED',
    'The card does not allow this payment.',
    'USE_ANOTHER_CARD',
    false,
    'E57 V57 X57 M62 V93 A200',
  ],
  ['INVALID_CARD_NUMBER', 'The card number is wrong.', 'FIX_DATA', false, 'E14 E56 V14 M14 M1 X14 A122'],
  ['SECURITY_VIOLATION', 'The security code or the card data is wrong.', 'FIX_DATA', false, 'E63 VN7'],
  [
    'EXPIRED_CARD',
    'The card has expired, or its expiry date is wrong.',
    'FIX_DATA',
    false,
    'E54 V54 M54 X54 A101',
  ],
  [
    'INVALID_CARD',
    'The card or its cryptogram is not valid.',
    'USE_ANOTHER_CARD',
    false,
    'E12 V6 E82 V82 E83 V74 V81 M88 A180 A115',
  ],
  ['LOST_CARD', 'The card cannot be used.', 'USE_ANOTHER_CARD', false, 'E41 V41 M41 X41'],
  ['STOLEN_CARD', 'The card cannot be used.', 'USE_ANOTHER_CARD', false, 'E43 V43 M43 X43'],
  ['CARD_RETAINED', 'The card cannot be used.', 'USE_ANOTHER_CARD', false, 'V4'],
  ['CONFIRMED_FRAUD', 'The card cannot be used.', 'USE_ANOTHER_CARD', false, 'V7 M4'],
  ['ACCOUNT_CLOSED', 'The account of the card is closed.', 'USE_ANOTHER_CARD', false, 'E46 V46 X46'],
  ['INVALID_ACCOUNT', 'The account of the card is not valid.', 'USE_ANOTHER_CARD', false, 'E76 E77'],
  ['ISSUER_NOT_FOUND', 'The issuer of the card is not known.', 'USE_ANOTHER_CARD', false, 'V15 M15 V92 M92'],
  [
    'INVALID_MERCHANT',
    'The store is not allowed to take this payment.',
    'DO_NOT_RETRY',
    false,
    'E58 V3 M3 A109',
  ],
  ['ACQUIRER_PROBLEM', 'The acquirer refused the payment.', 'DO_NOT_RETRY', false, 'E19 V19 M30 X19'],
  ['FORMAT_ERROR', 'The payment data is wrong.', 'FIX_DATA', false, 'E30 V12 A181'],
  ['INVALID_AMOUNT', 'The amount is not valid.', 'FIX_DATA', false, 'E13 V13 M13 X13 E64 VN8 A110'],
  ['INVALID_INSTALLMENTS', 'The number of installments is not valid.', 'FIX_DATA', false, 'E23 M12'],
  ['TERMINAL_NOT_ALLOWED', 'This payment method is not allowed.', 'DO_NOT_RETRY', false, 'V58 M58'],
  ['PIN_REFUSED', 'The new password was refused.', 'DO_NOT_RETRY', false, 'EP5'],
  ['USE_CHIP', 'The card must be present.', 'USE_ANOTHER_CARD', false, 'EFM'],
  ['MONEY_LAUNDERING', 'The payment is not allowed.', 'DO_NOT_RETRY', false, 'V64'],
  ['INVALID_REVERSAL', 'The payment is not valid.', 'DO_NOT_RETRY', false, 'V76 V94 M94 M25 M28'],
  ['CASH_UNAVAILABLE', 'The payment is not allowed.', 'DO_NOT_RETRY', false, 'VN3'],
  ['RECURRING_STOPPED', 'The cardholder stopped these payments.', 'DO_NOT_RETRY', false, 'VR0 VR1 VR3'],
  ['PIN_NOT_ELIGIBLE', 'The payment is not allowed.', 'DO_NOT_RETRY', false, 'VR2'],
  ['IDENTITY_CHECK', 'The issuer requires authentication of the payer.', 'DO_NOT_RETRY', false, 'V6P'],
  // Mastercard folds several codes into these; only its advice code says whether to try again.
  ['LIFE_CYCLE', 'The card data is no longer valid.', 'DO_NOT_RETRY', false, 'M79'],
  ['POLICY', 'The issuer does not allow this payment.', 'DO_NOT_RETRY', false, 'M82'],
  ['SUSPECTED_FRAUD', 'The issuer suspects fraud.', 'DO_NOT_RETRY', false, 'M83'],
  // The acquirer's own codes, for every brand: of its sandbox, its retry table and its errors about a card.
  ['CARD_CANCELED', 'The card cannot be used.', 'USE_ANOTHER_CARD', false, '*77'],
  ['CARD_PROBLEM', 'There is a problem with the card.', 'TRY_LATER', true, '*70'],
  ['TIMED_OUT', 'The issuer did not answer in time.', 'TRY_LATER', true, '*99'],
  ['TRY_AGAIN', 'The acquirer asks to try again.', 'TRY_LATER', true, '*60 *67 *89 *999 *AA *AV *BO *DM *DS'],
  ['LIMIT_EXCEEDED', 'The amount exceeds the limit of the card.', 'TRY_LATER', true, '*BL'],
  ['INVALID_INSTALLMENTS', 'The number of installments is not valid.', 'FIX_DATA', false, '*EB *EE'],
  ['INVALID_CARD_NUMBER', 'The card number is wrong.', 'FIX_DATA', false, '*127 *128 *177 *213 *BM'],
  ['EXPIRED_CARD', 'The card has expired, or its expiry date is wrong.', 'FIX_DATA', false, '*126'],
  ['CARD_BLOCKED', 'The card is blocked.', 'USE_ANOTHER_CARD', false, '*BN'],
  ['ACCOUNT_CLOSED', 'The account of the card is closed.', 'USE_ANOTHER_CARD', false, '*BR'],
]

const LETTERS: Record<string, string> = { ELO: 'E', VISA: 'V', MASTERCARD: 'M', HIPERCARD: 'M', AMEX: 'A' }

const RULES = new Map<string, DeclineRule>(
  LINES.flatMap(([code, message, advice, retryable, codes]) => {
    const rule = { code, message, retryable, advice }
    return codes.split(' ').map((key) => [key, rule] as const)
  }),
)

/** The rule for a code that the table does not list: the decline is final. */
export const GENERIC_DECLINE: DeclineRule = {
  code: 'GENERIC_DECLINE',
  message: 'The payment was declined.',
  retryable: false,
  advice: 'USE_ANOTHER_CARD',
}

/** A code with every message and advice that a charge may show for it. */
export type ListedDecline = { code: string; rules: readonly DeclineRule[] }

/** Every decline code, in alphabetical order. An advice code of Mastercard may still change the advice. */
export function listDeclines(): ListedDecline[] {
  const rules = [...new Set(RULES.values()), GENERIC_DECLINE]
  const codes = [...new Set(rules.map(({ code }) => code))].sort()
  return codes.map((code) => ({ code, rules: rules.filter((rule) => rule.code === code) }))
}

/** The rule for a code of an issuer, leading zeros dropped, or of the acquirer itself. */
export function ruleFor(brand: string, normalizedCode: string): DeclineRule | undefined {
  return RULES.get(`${LETTERS[brand] ?? 'X'}${normalizedCode}`) ?? RULES.get(`*${normalizedCode}`)
}
