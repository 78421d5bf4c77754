/** Digits by their values. */
export type Digits = Uint8Array

const doubled = (digit: number) => (digit > 4 ? 2 * digit - 9 : 2 * digit)

/**
 * Returns the Luhn check of ISO/IEC 7812-1, annex B, of any part of the digits. Running sums make each check cost one
 * comparison: a part passes when the sum is the same before and behind it.
 */
export function luhnAmong(digits: Digits): (from: number, to: number) => boolean {
  // Last digits of the sums before each place: once with the digits at even places doubled, once with those at odd ones.
  const even = new Uint8Array(digits.length + 1)
  const odd = new Uint8Array(digits.length + 1)
  let [sum, other] = [0, 0]
  // Stryker disable next-line EqualityOperator: behind the last sum nothing is written
  for (let place = 0; place < digits.length; place++) {
    const digit = digits[place] ?? 0
    const isEven = place % 2 === 0
    sum += isEven ? doubled(digit) : digit
    other += isEven ? digit : doubled(digit)
    if (sum >= 10) sum -= 10
    if (other >= 10) other -= 10
    even[place + 1] = sum
    odd[place + 1] = other
  }
  // The last digit is not doubled, the one before it is.
  return (from, to) => {
    const sums = to % 2 === 0 ? even : odd
    return sums[to] === sums[from]
  }
}
