/** One way to spread an amount, in cents. The first payment carries the remainder. */
export type Installments = { count: number; each: number; first: number }

/** Returns the ways to spread an amount over at most `most` payments. No payment is less than a cent. */
export function installmentsOf(amount: number, most: number): Installments[] {
  const counts = Array.from({ length: Math.max(1, most) }, (_, at) => at + 1)
  return counts
    .filter((count) => count === 1 || amount >= count)
    .map((count) => {
      const each = Math.floor(amount / count)
      return { count, each, first: amount - each * (count - 1) }
    })
}
