import type { Db } from '@cofre/platform/postgres/postgres'
import { wasToldOfDecline } from '../letters/queue/held-email-store'
import { queueEmail, type Reason } from '../letters/queue/queue-email'
import type { Invoice } from '../invoice/rules/invoice'
import type { Dunning } from './rules/automatic-charge'
import { isOfTheCard } from './rules/reason'

/** The letter that says that the card could not be charged, and where to pay: once for each invoice. */
export const DECLINED: Reason = { cause: 'card-declined', kind: 'DECLINED' }
/** The letter that says that the card was declined, and when it is charged again: once, after the first decline. */
const RETRY_PLANNED: Reason = { cause: 'retry-planned', kind: 'RETRY_PLANNED' }

type Told = Pick<Invoice, 'id' | 'sellerId' | 'customer'>

/**
 * Mails the customer that their card could not be charged, and that no other card is. When no card is at fault, they
 * are reminded like everybody else.
 */
export async function mailDeclined(tx: Db, invoice: Told, { charge }: Dunning, at: number): Promise<void> {
  const isOver = charge.status === 'NEEDS_CARD' || charge.status === 'GIVEN_UP'
  if (isOver && isOfTheCard(charge)) await queueEmail(tx, invoice, { ...DECLINED, at })
}

/**
 * Mails the customer of a first decline, with the day on which the card is charged again. Another card that is charged
 * at once may pay: nothing is said before it is declined too. A seller who holds the collection asks for nothing.
 */
export async function mailRetry(tx: Db, invoice: Told, { charge }: Dunning, at: number): Promise<void> {
  const { status, nextAttemptAt, isHeld } = charge
  const isLater = status === 'WAITING' && nextAttemptAt !== null && nextAttemptAt > at
  if (!isLater || isHeld || (await wasToldOfDecline(tx, invoice.id))) return
  await queueEmail(tx, invoice, { ...RETRY_PLANNED, at })
}
