import type { Db } from '@cofre/platform/postgres/postgres'
import type { WholeInvoice } from '../invoice/invoice'
import { act } from '../invoice/transition'
import { saveLocked } from '../invoice-store/invoice-store'
import { isOfTheCard } from './automatic-charge'
import { readDunning } from './automatic-charge-store'

/**
 * An invoice whose card is given up becomes UNCOLLECTIBLE where its seller wants it so; otherwise it stays. It
 * also stays where no card was tried and the reason lay elsewhere: its customer can still pay it as any other invoice.
 */
export async function endDunning(tx: Db, invoice: WholeInvoice, at: number): Promise<WholeInvoice> {
  const { automaticCharge: charge, status } = invoice
  if (charge?.status !== 'GIVEN_UP' || status !== 'CLOSED') return invoice
  if (charge.attempts === 0 && !isOfTheCard(charge)) return invoice
  const dunning = await readDunning(tx, invoice)
  if (dunning?.givesUp !== true) return invoice
  const decision = act(invoice, 'uncollectible', at)
  return decision ? saveLocked(tx, decision) : invoice
}
