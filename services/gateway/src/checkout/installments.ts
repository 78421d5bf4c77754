/** One way to spread an amount. Cents; the first payment carries the odd ones. */
export type Installments = { count: number; each: number; first: number }

/** As many as the API takes (1 to 12). */
export const MOST_INSTALLMENTS = 12

/** The ways to spread an amount over `most` payments at most. None is of less than a cent. */
export function installmentsOf(amount: number, most: number): Installments[] {
  const counts = Array.from({ length: Math.min(most, MOST_INSTALLMENTS) }, (_, at) => at + 1)
  return counts
    .filter((count) => count === 1 || amount >= count)
    .map((count) => {
      const each = Math.floor(amount / count)
      return { count, each, first: amount - each * (count - 1) }
    })
}
