/**
 * From `guesses` declines of guessed card data on, within a minute, a seller's payments with the same BIN are refused:
 * once the guesses are `sharePercent` of the latest declines.
 */
export type TestingLimits = { guesses: number; sharePercent: number }

/**
 * The declines of somebody who guesses numbers, expiry dates and security codes, by our name or by brand and name. An
 * honest payer without money or limit, or whose issuer is away, is none of them. Mastercard folds a wrong security code
 * into its fraud and policy codes.
 */
export const GUESSED_DATA: readonly string[] = [
  'INVALID_CARD_NUMBER',
  'SECURITY_VIOLATION',
  'EXPIRED_CARD',
  'INVALID_CARD',
  'LIFE_CYCLE',
  'POLICY',
  'MASTERCARD SUSPECTED_FRAUD',
  'HIPERCARD SUSPECTED_FRAUD',
]

/** How many of the latest declines are looked at: so many guesses are then just the share of them. */
export function latestDeclines({ guesses, sharePercent }: TestingLimits): number {
  return Math.ceil((guesses * 100) / sharePercent)
}
