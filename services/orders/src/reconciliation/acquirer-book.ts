import type { Found } from '../acquirer/acquirer'
import type { Payment } from '../charge/charge'

/** What a payment took and gave back, cents. `isHeld`: authorized, and neither taken nor released. */
export type Book = { captured: number; refunded: number; isHeld: boolean }

export type Difference = 'absent' | 'several' | 'amount' | 'captured' | 'refunded' | 'held'

/** In what the two books of a payment differ, and both; no differences: they agree. */
export type Compared = { differences: Difference[]; ours: Book; theirs: Book | undefined }

export function bookOf({ status, capturedAmount, refundedAmount }: Payment): Book {
  return { captured: capturedAmount, refunded: refundedAmount, isHeld: status === 'AUTHORIZED' }
}

/** Compares a payment of which nothing is pending with what the acquirer has of it. Undefined: it has not said. */
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
    // Of what came to nothing the acquirer need not say how much it was.
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
  // Of what was voided nothing is left, whatever it had taken before: it does not always say how much that was.
  if (state === 'voided') return { captured, refunded: captured, isHeld: false }
  return { captured: 0, refunded: 0, isHeld: state === 'authorized' }
}
