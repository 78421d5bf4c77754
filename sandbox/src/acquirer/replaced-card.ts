import { brazilTime } from './brazil-time'
import type { Outcome } from './card-outcome'
import type { SaleRequest } from './sale-request'

const YEARS_GOOD = 4

type NewCard = { CardNumber: string; ExpirationDate: string; SaveCard: boolean; Brand: string | undefined }

/**
 * Renova Fácil: the number and expiry of the card that the issuer gave its holder in place of one that a recurring sale
 * was declined with. As in the public sandbox, an expired card that ends with 3 is one; a planned decline may be too.
 */
export function replacedCard({ payment }: SaleRequest, outcome: Outcome, now: number): NewCard | undefined {
  const { cardNumber = '', expirationDate = '', brand } = payment?.creditCard ?? {}
  if (outcome.approved || payment?.recurrent !== true || cardNumber.length < 13) return undefined
  const [month = '', year = ''] = expirationDate.split('/')
  const [thisYear = '', thisMonth = ''] = brazilTime(now).split('-')
  const hasExpired = `${year}-${month}` < `${thisYear}-${thisMonth}`
  if (!outcome.isReplaced && !(hasExpired && cardNumber.endsWith('3'))) return undefined
  return {
    CardNumber: nextNumber(cardNumber),
    ExpirationDate: `${month}/${Number(thisYear) + YEARS_GOOD}`,
    SaveCard: false,
    Brand: brand,
  }
}

/** A good number of the same issuer that ends with 1, so that its sales are approved. */
function nextNumber(cardNumber: string): string {
  const [bin, length] = [cardNumber.slice(0, 6), cardNumber.length - 8]
  for (let serial = Number(cardNumber.slice(6, -2)) + 1; ; serial++) {
    const number = `${bin}${String(serial % 10 ** length).padStart(length, '0')}`
    const check = Array.from(number, Number)
      .toReversed()
      .reduce((sum, digit, at) => sum + luhnOf(digit, at), 0)
    // The last digit is 1; the one before it, which counts double, makes the sum a multiple of ten.
    for (let tens = 0; tens < 10; tens++) {
      if ((check + luhnOf(tens, 1) + 1) % 10 === 0) return `${number}${tens}1`
    }
  }
}

/** Digits at odd places from the end count double. */
function luhnOf(digit: number, place: number): number {
  const worth = place % 2 === 1 ? digit * 2 : digit
  return worth > 9 ? worth - 9 : worth
}
