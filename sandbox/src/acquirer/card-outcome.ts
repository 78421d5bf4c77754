export type Outcome =
  | { approved: true; answerLost: boolean }
  /** `isReplaced`: the issuer has given the card a new number. */
  | {
      approved: false
      returnCode: string
      message: string
      merchantAdviceCode: string | null
      isReplaced?: boolean
    }

/** Cielo's own sandbox codes. In production the same codes mean other things. */
const DECLINES: Record<string, [returnCode: string, message: string]> = {
  '2': ['05', 'Not Authorized'],
  '3': ['57', 'Card Expired'],
  '5': ['78', 'Blocked Card'],
  '6': ['99', 'Time Out'],
  '7': ['77', 'Card Canceled'],
  '8': ['70', 'Problems with Creditcard'],
}

/** Returns the outcome by the last digit alone. Cielo answers 9 at random; here it is approved, its answer lost. */
export function cardOutcome(cardNumber: string): Outcome {
  const lastDigit = cardNumber.slice(-1)
  const decline = DECLINES[lastDigit]
  if (!decline) return { approved: true, answerLost: lastDigit === '9' }
  const [returnCode, message] = decline
  return { approved: false, returnCode, message, merchantAdviceCode: null }
}
