import { withTransaction, type Db } from '@cofre/platform/postgres/postgres'
import type { Deps } from '../../deps'
import { queueIssued } from '../../letters/queue/queue-email'
import { collectSoon } from '../../pix/automatic/permission-store'
import type { PrintedCustomer, WholeInvoice } from '../../invoice/rules/invoice'
import { claimNumbers } from '../../invoice/store/number-store'
import { newPublicId } from '../../catalog/public-id'
import { cycleInvoice } from '../rules/cycle-invoice'
import type { WholeRecurring } from '../rules/recurring-invoice'
import { act, bill } from '../rules/transition'
import { productNames, takeDueCycles, type DueCycle, type Taking } from '../store/cycle-store'
import { saveRecurring } from '../store/recurring-store'
import { saveBilled } from './save-billed'

type BillingDeps = Pick<Deps, 'pool' | 'reminderDays' | 'rules'>

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
    const permitted = billable.filter(({ isPermitted }) => isPermitted)
    const collected = permitted.map(({ recurring }) => recurring.id)
    if (collected.length > 0) await collectSoon(tx, collected, at)
    await saveRecurring(tx, [...orphans, ...billed])
    return { taken, billed: billed.length }
  })
}

type Billable = DueCycle & { customer: PrintedCustomer }

function isBillable(due: DueCycle): due is Billable {
  return due.customer !== null
}

async function billAll(
  deps: BillingDeps,
  tx: Db,
  due: readonly Billable[],
  at: number,
): Promise<WholeRecurring[]> {
  if (due.length === 0) return []
  const drafts = await draft(deps, tx, due, at)
  const cycles = due.map(({ recurring }, place) => ({
    ...bill(recurring, at),
    draft: drafts[place] as WholeInvoice,
  }))
  const made = await saveBilled(deps, tx, cycles, at)
  await queueIssued(
    tx,
    due.flatMap(({ isPermitted, recurring: { language, sellerName } }, place) => {
      const invoice = made[place] as WholeInvoice
      return !isPermitted && isMailed(invoice) ? [{ ...invoice, language, sellerName }] : []
    }),
    at,
  )
  return cycles.map(({ recurring }) => recurring)
}

/** True when the invoice is mailed: no card is charged automatically, or none is there yet. The payer's own bank tells of a collection. */
export function isMailed({ automaticCharge }: WholeInvoice): boolean {
  return automaticCharge === null || automaticCharge.status === 'NEEDS_CARD'
}

async function draft(
  { rules: { dunningDays } }: BillingDeps,
  tx: Db,
  due: readonly Billable[],
  at: number,
): Promise<WholeInvoice[]> {
  const items = due.flatMap(({ recurring }) => recurring.items)
  const names = await productNames(tx, [...new Set(items.map(({ productId }) => productId))])
  const wanted = new Map<number, number>()
  for (const { recurring } of due) wanted.set(recurring.sellerId, (wanted.get(recurring.sellerId) ?? 0) + 1)
  // The numbers are locked last, so that a seller who makes an invoice meanwhile waits as little as possible.
  const numbers = await claimNumbers(tx, wanted)
  return due.map(({ recurring, customer, keptCardId, holidays, isPermitted }) => {
    const invoiceNumber = numbers.get(recurring.sellerId)?.shift()
    if (invoiceNumber === undefined) throw new Error('a cycle got no invoice number')
    const printed = { customer, productNames: names, keptCardId, holidays, isPermitted, dunningDays }
    return cycleInvoice(recurring, printed, { publicId: newPublicId(), invoiceNumber }, at)
  })
}
