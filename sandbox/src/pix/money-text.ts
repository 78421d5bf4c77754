/** The document's amounts and percentages: one to ten digits, a dot, two digits. */
export const TWO_DECIMALS = /^\d{1,10}\.\d{2}$/

/** Returns the cents of an amount, or the hundredths of a percentage. */
export function hundredthsOf(text: string): number {
  return Number(text.replace('.', ''))
}

/** Returns an amount in cents as the document writes it. */
export function moneyText(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
