import type { Db } from '@cofre/platform/postgres/postgres'
import { queueEmail, type Reason } from '../email/queue-email'
import type { Invoice } from '../invoice/invoice'
import type { Dunning, OwnReason } from './automatic-charge'

/** That the card could not be charged, and where the customer pays: once for each invoice. */
export const DECLINED: Reason = { cause: 'card-declined', kind: 'DECLINED' }

const WITHOUT_CARD: OwnReason = 'NO_CARD'

/** Tells the customer that no card of theirs is charged any more. Who never kept one is reminded like everybody else. */
export async function mailDeclined(
  tx: Db,
  invoice: Pick<Invoice, 'id' | 'sellerId' | 'customer'>,
  { charge }: Dunning,
): Promise<void> {
  const isOver = charge.status === 'NEEDS_CARD' || charge.status === 'GIVEN_UP'
  if (isOver && charge.reason !== WITHOUT_CARD) await queueEmail(tx, invoice, DECLINED)
}
