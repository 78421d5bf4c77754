import type { WholeInvoice } from '../invoice/invoice'
import { finalized } from '../invoice/transition'
import { automaticChargeOf, cycleInvoice, type Printed } from '../recurring/cycle-invoice'
import type { WholeRecurring } from '../recurring/recurring-invoice'
import { bill } from '../recurring/transition'

/** A cycle of a booklet: its invoice as drafted and as finalized, and the booklet after this cycle. */
export type BookletCycle = { draft: WholeInvoice; invoice: WholeInvoice; recurring: WholeRecurring }

type Billing = {
  printed: Printed
  /** The card that the customer keeps. */
  keptCardId: number | null
  names: readonly { publicId: string; invoiceNumber: string }[]
  /** Epoch milliseconds. */
  at: number
}

/** All cycles of a new booklet, one for each of `names`, in order. The last one makes the booklet FINISHED. */
export function billBooklet(
  booklet: WholeRecurring,
  { printed, keptCardId, names, at }: Billing,
): BookletCycle[] {
  const cycles: BookletCycle[] = []
  let recurring = booklet
  for (const name of names) {
    const drafted = cycleInvoice(recurring, printed, name, at)
    const automaticCharge = automaticChargeOf(recurring, keptCardId, drafted.dueDate)
    const draft = { ...drafted, automaticCharge }
    recurring = bill(recurring, at).recurring
    if (recurring.cyclesBilled === recurring.charges) recurring = finished(recurring)
    cycles.push({ draft, invoice: finalized(draft, at), recurring })
  }
  return cycles
}

function finished(recurring: WholeRecurring): WholeRecurring {
  return { ...recurring, status: 'FINISHED', nextCycleDay: null }
}
