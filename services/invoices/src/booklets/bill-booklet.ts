import type { BilledCycle } from '../recurring/billing/save-billed'
import { cycleInvoice, type Names, type Printed } from '../recurring/rules/cycle-invoice'
import type { WholeRecurring } from '../recurring/rules/recurring-invoice'
import { bill } from '../recurring/rules/transition'

type Billing = {
  printed: Printed & { keptCardId: number | null; dunningDays: readonly number[] }
  names: readonly Names[]
  /** Epoch milliseconds. */
  at: number
}

/** All cycles of a new booklet, one for each of `names`, in order. The last one makes the booklet FINISHED. */
export function billBooklet(booklet: WholeRecurring, { printed, names, at }: Billing): BilledCycle[] {
  const cycles: BilledCycle[] = []
  let recurring = booklet
  for (const name of names) {
    const draft = cycleInvoice(recurring, { ...printed, isPermitted: false }, name, at)
    const billed = bill(recurring, at)
    recurring = billed.recurring
    if (recurring.cyclesBilled === recurring.charges) recurring = finished(recurring)
    cycles.push({ ...billed, recurring, draft })
  }
  return cycles
}

function finished(recurring: WholeRecurring): WholeRecurring {
  return { ...recurring, status: 'FINISHED', nextCycleDay: null }
}
