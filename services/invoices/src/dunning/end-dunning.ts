import type { Db } from '@cofre/platform/postgres/postgres'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { act } from '../invoice/rules/transition'
import { saveLocked, type Saving } from '../invoice/store/invoice-store'
import { isOfTheCard } from './rules/reason'
import { readDunning } from './automatic-charge-store'

/**
 * Makes an invoice UNCOLLECTIBLE when its card is given up and its seller asked for that. It stays as it is when no
 * card was tried and none is at fault: its customer can still pay it like any other invoice.
 */
export async function endDunning(
  deps: Saving,
  tx: Db,
  invoice: WholeInvoice,
  at: number,
): Promise<WholeInvoice> {
  const { automaticCharge: charge, status } = invoice
  if (charge?.status !== 'GIVEN_UP' || status !== 'CLOSED') return invoice
  if (charge.attempts === 0 && !isOfTheCard(charge)) return invoice
  const dunning = await readDunning(tx, invoice)
  if (dunning?.givesUp !== true) return invoice
  const decision = act(invoice, 'uncollectible', at)
  return decision ? saveLocked(deps, tx, decision) : invoice
}
