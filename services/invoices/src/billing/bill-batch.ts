import type { DomainEvent } from '@cofre/platform/events/outbox'
import { withTransaction, type Db } from '@cofre/platform/postgres/postgres'
import type { Deps } from '../deps'
import { queueIssued } from '../email/queue-email'
import type { PrintedCustomer, WholeInvoice } from '../invoice/invoice'
import { eventOf as invoiceEvent } from '../invoice-store/invoice-message'
import { insertInvoices, tellAll } from '../invoice-store/many-invoices-store'
import { claimNumbers } from '../invoice-store/number-store'
import { newPublicId } from '../invoice-store/public-id'
import { finalized } from '../invoice/transition'
import { automaticChargeOf, cycleInvoice } from '../recurring/cycle-invoice'
import type { WholeRecurring } from '../recurring/recurring-invoice'
import { act, bill } from '../recurring/transition'
import { planReminders } from '../reminders/reminder-store'
import { productNames, takeDueCycles, type DueCycle, type Taking } from '../recurring-store/cycle-store'
import { eventOf } from '../recurring-store/recurring-message'
import { saveRecurring } from '../recurring-store/recurring-store'

type BillingDeps = Pick<Deps, 'pool' | 'reminderDays'>

/** The recurring invoices that a batch took, and how many of them were billed. */
export type Batch = { taken: readonly number[]; billed: number }

/**
 * Bills cycles that are due: their invoices with charge, numbers, events and e-mails, and the step to the next cycle,
 * in one transaction. `onTaken` gets the ids of the recurring invoices that are tried.
 */
export function billBatch(
  deps: BillingDeps,
  taking: Taking,
  at: number,
  onTaken: (ids: readonly number[]) => void = () => {},
): Promise<Batch> {
  return withTransaction(deps.pool, async (tx) => {
    const due = await takeDueCycles(tx, taking)
    const taken = due.map(({ recurring }) => recurring.id)
    onTaken(taken)
    if (due.length === 0) return { taken, billed: 0 }
    // The customer was deleted while the recurring invoice was being made.
    const orphans = due
      .filter(({ customer }) => customer === null)
      .map(({ recurring }) => act(recurring, 'cancel', at))
    const billable = due.filter(isBillable)
    const billed = await billAll(deps, tx, billable, at)
    await saveRecurring(tx, [...orphans, ...billed])
    return { taken, billed: billed.length }
  })
}

type Billable = DueCycle & { customer: PrintedCustomer }

function isBillable(due: DueCycle): due is Billable {
  return due.customer !== null
}

async function billAll(
  { reminderDays }: BillingDeps,
  tx: Db,
  due: readonly Billable[],
  at: number,
): Promise<WholeRecurring[]> {
  if (due.length === 0) return []
  const drafts = await draft(tx, due, at)
  const decided = drafts.map((invoice) => finalized(invoice, at))
  const made = await insertInvoices(tx, decided)
  const events: DomainEvent[] = []
  const billed = due.map(({ recurring }, place) => {
    const invoice = made[place] as WholeInvoice
    const { recurring: next, event, cycle } = bill(recurring, at)
    const created = { ...(drafts[place] as WholeInvoice), id: invoice.id }
    events.push(
      invoiceEvent(created, 'invoice.created'),
      invoiceEvent(invoice, 'invoice.finalized'),
      eventOf(next, event, { invoiceId: invoice.id, cycle }),
    )
    return next
  })
  await tellAll(tx, events)
  await queueIssued(
    tx,
    due.flatMap(({ recurring: { language, sellerName } }, place) => {
      const invoice = made[place] as WholeInvoice
      return isMailed(invoice) ? [{ ...invoice, language, sellerName }] : []
    }),
  )
  await planReminders(tx, made, reminderDays)
  return billed
}

/** True when the invoice is mailed: no card is charged automatically, or none is there yet. */
function isMailed({ automaticCharge }: WholeInvoice): boolean {
  return automaticCharge === null || automaticCharge.status === 'NEEDS_CARD'
}

async function draft(tx: Db, due: readonly Billable[], at: number): Promise<WholeInvoice[]> {
  const items = due.flatMap(({ recurring }) => recurring.items)
  const names = await productNames(tx, [...new Set(items.map(({ productId }) => productId))])
  const wanted = new Map<number, number>()
  for (const { recurring } of due) wanted.set(recurring.sellerId, (wanted.get(recurring.sellerId) ?? 0) + 1)
  // The numbers are locked last, so that a seller who makes an invoice meanwhile waits as little as possible.
  const numbers = await claimNumbers(tx, wanted)
  return due.map(({ recurring, customer, keptCardId }) => {
    const invoiceNumber = numbers.get(recurring.sellerId)?.shift()
    if (invoiceNumber === undefined) throw new Error('a cycle got no invoice number')
    const printed = { customer, productNames: names }
    const invoice = cycleInvoice(recurring, printed, { publicId: newPublicId(), invoiceNumber }, at)
    return { ...invoice, automaticCharge: automaticChargeOf(recurring, keptCardId, invoice.dueDate) }
  })
}
