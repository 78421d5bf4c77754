import { dayNumber } from './bank-calendar'

const BANK_AND_CURRENCY = '0019'
/** 2025-02-22 has the factor 1000, the day after 1001, and so on for 9000 days. */
const CYCLE_BEGINS = dayNumber('2025-02-22')
const CYCLE_DAYS = 9_000

/** Returns the 44 digits of a slip of this bank (agreement of seven digits). The amount is in cents. */
export function codeOf(slip: { ourNumber: string; wallet: string; dueDate: string; amount: number }): string {
  const days = dayNumber(slip.dueDate) - CYCLE_BEGINS
  const factor = 1_000 + (((days % CYCLE_DAYS) + CYCLE_DAYS) % CYCLE_DAYS)
  const amount = String(slip.amount).padStart(10, '0')
  const free = `000000${slip.ourNumber}${slip.wallet}`
  const rest = `${factor}${amount}${free}`
  return `${BANK_AND_CURRENCY}${generalDigit(BANK_AND_CURRENCY + rest)}${rest}`
}

/** Returns the 47 digits that a payer types. */
export function lineOf(code: string): string {
  const free = code.slice(19)
  const fields = [code.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)]
  return fields.map((field) => field + fieldDigit(field)).join('') + code.slice(4, 19)
}

/** Returns the check digit by modulus 11, with weights 2 to 9 from the right. */
function generalDigit(digits: string): number {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    sum += Number(digits.at(-1 - at)) * ((at % 8) + 2)
  }
  const rest = sum % 11
  return rest < 2 ? 1 : 11 - rest
}

/** Returns the check digit by modulus 10, with weights 2 and 1 from the right. */
function fieldDigit(digits: string): number {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const product = Number(digits.at(-1 - at)) * (at % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return (1_000 - sum) % 10
}
