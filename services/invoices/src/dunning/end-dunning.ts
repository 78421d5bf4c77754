import type { Db } from '@cofre/platform/postgres/postgres'
import type { WholeInvoice } from '../invoice/invoice'
import { act } from '../invoice/transition'
import { saveLocked } from '../invoice-store/invoice-store'
import { readDunning } from './automatic-charge-store'

/** An invoice whose card is given up becomes UNCOLLECTIBLE where its seller wants it so; otherwise it stays. */
export async function endDunning(tx: Db, invoice: WholeInvoice, at: number): Promise<WholeInvoice> {
  if (invoice.automaticCharge?.status !== 'GIVEN_UP' || invoice.status !== 'CLOSED') return invoice
  const dunning = await readDunning(tx, invoice)
  if (dunning?.givesUp !== true) return invoice
  const decision = act(invoice, 'uncollectible', at)
  return decision ? saveLocked(tx, decision) : invoice
}
