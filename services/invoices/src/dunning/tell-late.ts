import { addDays, dayOf, startOf } from '@cofre/platform/calendar-day'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import { withTransaction, type Db } from '@cofre/platform/postgres/postgres'
import { now } from '../clock/billing-clock'
import type { BillingJob } from '../clock/billing-job'
import type { Deps } from '../deps'
import { businessDayFrom } from '@cofre/platform/business-day'
import type { WholeInvoice } from '../invoice/rules/invoice'
import {
  act,
  holdPastDue,
  isBeingPaid,
  tellHeldPastDue,
  tellPastDue,
  type Decision,
} from '../invoice/rules/transition'
import { lockInvoice, saveLocked } from '../invoice/store/invoice-store'
import { nextLateAt, updateLate, type LateInvoice } from '../invoice/store/past-due-store'
import { askBanks } from './ask-bank'
import { endNotice, holdNotice, nextNoticeAt, takeNotices, type LateNotice } from './late-notice-store'

const BATCH_SIZE = 100
/** How many notices ask the bank at once. */
const ASKED_AT_ONCE = 20
/** A bank that does not answer about a slip is asked again this often, and this long. */
const ASKED_AGAIN_MS = 3_600_000
export const BANK_AWAITED_MS = 3 * 86_400_000

type LateDeps = Pick<Deps, 'pool' | 'log' | 'afterSave' | 'boletos' | 'pix'>

/** Notifies sellers of invoices that became past due, each once, in any number of replicas. */
export function tellLateJob(deps: LateDeps): BillingJob {
  return {
    name: 'tell-late',
    run: async (at) => {
      const seen = await tellLate(deps, at)
      return { seen, done: seen }
    },
    nextDueAt: async () => {
      const today = dayOf(now())
      const moments = [await nextLateAt(deps.pool, today), await nextNoticeAt(deps.pool, today)]
      const known = moments.filter((each) => each !== undefined)
      return known.length > 0 ? Math.min(...known) : undefined
    },
  }
}

/** Notifies sellers of late invoices. What a slip may have paid in time waits for the bank. Returns how many it looked at. */
export async function tellLate(deps: LateDeps, at = now()): Promise<number> {
  const limits = { today: dayOf(at), batch: BATCH_SIZE }
  const late = await updateLate(deps, limits, (tx, each) => tellOrHold(tx, each, at))
  return late + (await tellHeld(deps, at))
}

/** Banks report on a business day what was paid on the one before: a notice waits for the end of that day. */
async function tellOrHold(
  tx: Db,
  { invoice, hasSlip }: LateInvoice,
  at: number,
): Promise<Decision | undefined> {
  const mayBePaid = hasSlip || (isPurchase(invoice) && isBeingPaid(invoice))
  if (!mayBePaid) return lateDecision(invoice, at)
  const { id, sellerId, lateOn } = invoice
  const reported = startOf(addDays(businessDayFrom(lateOn), 1))
  const tellAt = Math.max(reported, at)
  await holdNotice(tx, { id, sellerId, tellAt, latestAt: tellAt + BANK_AWAITED_MS })
  return holdPastDue(invoice, at)
}

/** The seller is notified. But nobody owes what a stranger began to buy and left: that is voided, and nobody is dunned. */
function lateDecision(invoice: WholeInvoice, at: number): Decision | undefined {
  return isPurchase(invoice) ? act(invoice, 'void', at) : tellPastDue(invoice, at)
}

/** Whether an invoice is a purchase by a payment link that nobody has paid, not even in part. */
function isPurchase({ paymentLinkProductId, status, paidAmount }: WholeInvoice): boolean {
  return paymentLinkProductId !== null && status === 'CLOSED' && paidAmount === 0
}

async function tellHeld(deps: LateDeps, at: number): Promise<number> {
  const limits = { at, againAt: at + ASKED_AGAIN_MS, today: dayOf(at), batch: ASKED_AT_ONCE }
  const notices = await takeNotices(deps.pool, limits)
  await Promise.all(notices.map((notice) => askAndTell(deps, notice, at)))
  return notices.length
}

/** Asks the bank about an invoice's slips, and notifies its seller if they brought no money. Never fails. */
function askAndTell(deps: LateDeps, notice: LateNotice, at: number): Promise<void> {
  const { id, sellerId, latestAt } = notice
  const timeoutMs = 3 * deps.boletos.rules.bankTimeoutMs
  const limits = { log: deps.log, timeoutMs, what: 'seller not notified', facts: { sellerId, invoiceId: id } }
  return workInCall(limits, async () => {
    const known = await askBanks(deps, id)
    if (known === 'paid' || (known === 'silent' && at < latestAt)) return
    await withTransaction(deps.pool, async (tx) => {
      const invoice = await lockInvoice(tx, { id, sellerId })
      if (isPurchase(invoice) && isBeingPaid(invoice)) return
      if (!(await endNotice(tx, id, dayOf(at)))) return
      const decision = isPurchase(invoice) ? lateDecision(invoice, at) : tellHeldPastDue(invoice, at)
      if (decision) await saveLocked(deps, tx, decision)
    })
  })
}
