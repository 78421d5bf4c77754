import type { Found } from '../acquirer/acquirer'
import type { Payment } from '../charge/charge'

/** The cents that a payment took and gave back. `isHeld`: authorized, and neither captured nor released. */
export type Book = { captured: number; refunded: number; isHeld: boolean }

export type Difference = 'absent' | 'several' | 'amount' | 'captured' | 'refunded' | 'held'

/** What somebody gave back at the acquirer, not by a request of ours; cents. VOID: of what was only held. */
export type Returned = { type: 'REFUND' | 'VOID'; amount: number }

/**
 * The differences between the two books of a payment, and both books. Without differences they agree. `returned`: it
 * alone explains all differences.
 */
export type Compared = {
  differences: Difference[]
  ours: Book
  theirs: Book | undefined
  returned?: Returned | undefined
}

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
    ['refunded', theirs.refunded !== ours.refunded && !isOfDisputes(payment, theirs)],
    ['held', theirs.isHeld !== ours.isHeld],
  ]
  const differences = checks.filter(([, differs]) => differs).map(([what]) => what)
  return { differences, ours, theirs, returned: returnedOf(payment, theirs, { found, differences }) }
}

/** The acquirer may count what a dispute withdrew as given back, or not. */
function isOfDisputes({ refundedAmount, disputedAmount }: Payment, { refunded }: Book): boolean {
  const more = refunded - refundedAmount
  return more > 0 && more <= disputedAmount
}

/** An answer that shows less than we know returns nothing: the acquirer may be behind. */
function returnedOf(
  { amount, capturedAmount, refundedAmount, disputedAmount, status }: Payment,
  theirs: Book,
  { found, differences }: { found: Extract<Found, { result: 'found' }>; differences: Difference[] },
): Returned | undefined {
  const [only, more] = differences
  if (more) return undefined
  if (only === 'held' && status === 'AUTHORIZED' && found.state === 'voided') return { type: 'VOID', amount }
  if (only !== 'refunded' || theirs.refunded > capturedAmount) return undefined
  // What a dispute withdrew is no refund.
  const returned = theirs.refunded - refundedAmount - disputedAmount
  return returned > 0 ? { type: 'REFUND', amount: returned } : undefined
}

function theirBook(found: Extract<Found, { result: 'found' }>, { captured }: Book): Book {
  const { state, capturedAmount, voidedAmount } = found
  if (state === 'captured') return { captured: capturedAmount, refunded: voidedAmount, isHeld: false }
  // A voided payment has nothing left. The acquirer does not always report how much it had taken before.
  if (state === 'voided') return { captured, refunded: captured, isHeld: false }
  return { captured: 0, refunded: 0, isHeld: state === 'authorized' }
}
