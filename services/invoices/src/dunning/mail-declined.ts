import type { Db } from '@cofre/platform/postgres/postgres'
import { queueEmail, type Reason } from '../letters/queue/queue-email'
import type { Invoice } from '../invoice/rules/invoice'
import type { Dunning } from './rules/automatic-charge'
import { isOfTheCard } from './rules/reason'

/** The letter that says that the card could not be charged, and where to pay: once for each invoice. */
export const DECLINED: Reason = { cause: 'card-declined', kind: 'DECLINED' }

/**
 * Mails the customer that their card could not be charged, and that no other card is. When no card is at fault, they
 * are reminded like everybody else.
 */
export async function mailDeclined(
  tx: Db,
  invoice: Pick<Invoice, 'id' | 'sellerId' | 'customer'>,
  { charge }: Dunning,
): Promise<void> {
  const isOver = charge.status === 'NEEDS_CARD' || charge.status === 'GIVEN_UP'
  if (isOver && isOfTheCard(charge)) await queueEmail(tx, invoice, DECLINED)
}
