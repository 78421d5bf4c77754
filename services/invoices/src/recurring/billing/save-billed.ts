import type { Db } from '@cofre/platform/postgres/postgres'
import { planReminders } from '../../dunning/reminders/reminder-store'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { finalizing } from '../../invoice/rules/transition'
import { eventOf as invoiceEvent } from '../../invoice/store/invoice-message'
import { insertInvoices, tellAll } from '../../invoice/store/many-invoices-store'
import type { WholeRecurring } from '../rules/recurring-invoice'
import type { bill } from '../rules/transition'
import { eventOf } from '../store/recurring-message'

/** A billed cycle: the draft of its invoice, and the recurring invoice after it. */
export type BilledCycle = ReturnType<typeof bill<WholeRecurring>> & { draft: WholeInvoice }

/**
 * Saves the finalized invoices of cycles with their events and reminders, in few statements, however many they are. The
 * result keeps the order; the caller saves the recurring invoices.
 */
export async function saveBilled(
  { reminderDays }: { reminderDays: readonly number[] },
  tx: Db,
  cycles: readonly BilledCycle[],
  at: number,
): Promise<WholeInvoice[]> {
  const steps = cycles.map(({ draft }) => finalizing(draft, at))
  const invoices = await insertInvoices(
    tx,
    steps.map((each) => (each.at(-1) ?? each[0]).invoice),
  )
  const events = cycles.flatMap(({ draft, recurring, event, cycle }, place) => {
    const invoice = invoices[place] as WholeInvoice
    return [
      invoiceEvent({ ...draft, id: invoice.id }, 'invoice.created'),
      ...(steps[place] ?? []).flatMap(({ invoice: after, event: type }) =>
        type ? [invoiceEvent({ ...after, id: invoice.id, charge: invoice.charge }, type)] : [],
      ),
      eventOf(recurring, event, { invoiceId: invoice.id, cycle }),
    ]
  })
  await tellAll(tx, events)
  await planReminders(tx, invoices, reminderDays)
  return invoices
}
