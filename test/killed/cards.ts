import type { Random } from '@cofre/testing/random'

/** A Visa number that ends in `digit`, of one of thousands of BINs: declines of one BIN are limited. */
export function cardEndingIn(digit: number, random: Random): string {
  const start = `42${Array.from({ length: 12 }, () => random.int(0, 9)).join('')}`
  for (let middle = 0; middle <= 9; middle++) {
    const number = `${start}${middle}${digit}`
    if (passesLuhn(number)) return number
  }
  throw new Error('one of ten digits always fits')
}

function passesLuhn(number: string): boolean {
  const digits = number.split('').reverse().map(Number)
  const sum = digits.reduce((total, digit, at) => {
    const doubled = digit * (at % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** The last digits of cards, by the answer that the sandbox gives them. */
export const APPROVED = [0, 1, 4] as const
export const DECLINED = [2, 3, 5, 7, 8] as const
export const ANSWER_LOST = 9
