import type { ChargeBook } from '../cards/orders'
import type { Transaction } from '../invoice/rules/invoice'

/**
 * The differences between a card payment that is over and its charge; empty when they agree. `book` undefined: no
 * charge. A payment that succeeded was captured whole, and shows its refunds and disputes. A failed one left no money.
 */
export function differencesOfCard(
  transaction: Pick<Transaction, 'status' | 'amount' | 'refunded' | 'disputed'>,
  book: ChargeBook | undefined,
): string[] {
  const { status, amount } = transaction
  const { captured, refunded, disputed, isHeld } = book ?? NONE
  const held = isHeld ? ['held'] : []
  if (status !== 'SUCCEEDED') return [...(captured <= refunded ? [] : ['captured']), ...held]
  return [
    ...(captured === amount ? [] : ['captured']),
    ...(refunded === transaction.refunded ? [] : ['refunded']),
    ...(disputed === transaction.disputed ? [] : ['disputed']),
    ...held,
  ]
}

const NONE = { captured: 0, refunded: 0, disputed: 0, isHeld: false }
