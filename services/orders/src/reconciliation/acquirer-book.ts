import type { Found } from '../acquirer/acquirer'
import type { Payment } from '../charge/charge'

/** The cents that a payment took and gave back. `isHeld`: authorized, and neither captured nor released. */
export type Book = { captured: number; refunded: number; isHeld: boolean }

export type Difference = 'absent' | 'several' | 'amount' | 'captured' | 'refunded' | 'held'

/** The differences between the two books of a payment, and both books. Without differences they agree. */
export type Compared = { differences: Difference[]; ours: Book; theirs: Book | undefined }

export function bookOf({ status, capturedAmount, refundedAmount }: Payment): Book {
  return { captured: capturedAmount, refunded: refundedAmount, isHeld: status === 'AUTHORIZED' }
}

/** Compares a payment without pending operations with the acquirer's state. Undefined when the acquirer gave none. */
export function compareWithAcquirer(payment: Payment, found: Found): Compared | undefined {
  const ours = bookOf(payment)
  if (found.result === 'unknown') return undefined
  if (found.result === 'several') return { differences: ['several'], ours, theirs: undefined }
  if (found.result === 'absent') {
    return { differences: ours.captured > 0 || ours.isHeld ? ['absent'] : [], ours, theirs: undefined }
  }
  if (found.state === 'undecided') return undefined
  const theirs = theirBook(found, ours)
  const checks: [Difference, boolean][] = [
    // The acquirer need not know the amount of a payment that came to nothing.
    ['amount', (theirs.captured > 0 || theirs.isHeld) && found.amount !== payment.amount],
    ['captured', theirs.captured !== ours.captured],
    ['refunded', theirs.refunded !== ours.refunded],
    ['held', theirs.isHeld !== ours.isHeld],
  ]
  const differences = checks.filter(([, differs]) => differs).map(([what]) => what)
  return { differences, ours, theirs }
}

function theirBook(found: Extract<Found, { result: 'found' }>, { captured }: Book): Book {
  const { state, capturedAmount, voidedAmount } = found
  if (state === 'captured') return { captured: capturedAmount, refunded: voidedAmount, isHeld: false }
  // A voided payment has nothing left. The acquirer does not always report how much it had taken before.
  if (state === 'voided') return { captured, refunded: captured, isHeld: false }
  return { captured: 0, refunded: 0, isHeld: state === 'authorized' }
}
