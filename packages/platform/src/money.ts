/** The largest amount that the API takes, in cents. */
export const MAX_AMOUNT = 99_999_999_999

/** Splits cents into instalments that add up; the first carries the cents that do not divide, as card statements do. */
export function splitInstallments(amount: number, installments: number): number[] {
  if (
    !Number.isSafeInteger(amount) ||
    !Number.isSafeInteger(installments) ||
    amount < 0 ||
    installments < 1
  ) {
    throw new RangeError('amount and instalments must be whole and positive')
  }
  const each = Math.floor(amount / installments)
  const first = amount - each * (installments - 1)
  return [first, ...Array<number>(installments - 1).fill(each)]
}

/** Adds cents and refuses a sum that a JavaScript number can't hold exactly. */
export function sumOf(amounts: readonly number[]): number {
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  if (!Number.isSafeInteger(sum)) throw new RangeError('sum out of the safe range')
  return sum
}

/** Cents as partners write reais: 12345 is "123.45". */
export function reais(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
