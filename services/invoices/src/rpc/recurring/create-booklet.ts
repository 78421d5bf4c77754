import { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import { RecurringInvoice as Message, type CreateBookletRequest } from '@cofre/proto/invoices/v1/recurring'
import type { Boleto } from '../../boleto/boleto'
import { noAccount } from '../../boleto-settling/bank-refusals'
import { dispatchDeadline, newSlip } from '../../boleto-settling/new-slip'
import { MANY_MS, registerMany } from '../../boleto-settling/register-many'
import { insertBoletos } from '../../boleto-store/boleto-store'
import { findPayer } from '../../boleto-store/payer-store'
import { billBooklet, type BookletCycle } from '../../booklet/bill-booklet'
import { findKeptCard } from '../../booklet-store/booklet-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { amountOf } from '../../invoice/amount'
import { dayOf } from '../../invoice/calendar-day'
import type { PrintedCustomer, WholeInvoice } from '../../invoice/invoice'
import { checkSplits } from '../../invoice/splits'
import { eventOf as invoiceEvent } from '../../invoice-store/invoice-message'
import { insertInvoices, tellAll } from '../../invoice-store/many-invoices-store'
import { holdReferences, type References } from '../../invoice-store/new-invoice-store'
import { claimNumbers } from '../../invoice-store/number-store'
import { newPublicId } from '../../invoice-store/public-id'
import type { WholeRecurring } from '../../recurring/recurring-invoice'
import { anchorOf } from '../../recurring/schedule'
import { planReminders } from '../../reminders/reminder-store'
import { eventOf, toMessage } from '../../recurring-store/recurring-message'
import { insertRecurring, saveRecurring } from '../../recurring-store/recurring-store'
import { fault, throwFaults, unknownReference } from '../request-check'
import { readBookletRequest, type BookletRequest } from './booklet-request'

/**
 * Makes a booklet and all its invoices, and saves their slips, in one transaction; then the bank registers the slips.
 * The sweeper settles slips that the bank has not answered in time.
 */
export async function createBooklet(deps: Deps, request: CreateBookletRequest): Promise<Replayable<Message>> {
  const { sellerId, customerId } = request
  const { pool, cards, log } = deps
  const asked = readBookletRequest(request)
  checkSplits(asked.splits, amountOf([asked.item]))
  const account = await findAccount(deps, sellerId, asked)
  const hasCard = asked.cardId === null || (await cards.find(sellerId, { id: asked.cardId })) !== undefined
  const made: Boleto[] = []
  const answer = await withIdempotency(pool, sellerId, Message, async (tx) => {
    const references = await holdReferences(tx, {
      sellerId,
      customerId,
      productIds: [asked.item.productId],
    })
    const customer = checkReferences(asked, { ...references, hasCard })
    const at = now()
    const draft = draftOf(sellerId, asked, { ...references, customer }, at)
    const { booklet, invoices } = await billAll(deps, tx, draft, {
      customer,
      productNames: references.products,
    })
    if (account !== undefined) made.push(...(await saveSlips(deps, tx, invoices, { account, at })))
    log.info({ sellerId, recurringInvoiceId: booklet.id, invoices: invoices.length }, 'booklet made')
    return toMessage(booklet)
  })
  await registerMany(deps, made)
  return answer
}

/** The seller's account. Undefined: no boletos are made. A seller who names BOLETO must have an account. */
async function findAccount(
  { boletos }: Deps,
  sellerId: number,
  { acceptedMethods }: BookletRequest,
): Promise<string | undefined> {
  const named = acceptedMethods?.some(({ method }) => method === 'BOLETO')
  if (named === false) return undefined
  const account = await boletos.accounts.find(sellerId)
  if (account === undefined && named) throw noAccount()
  return account
}

function checkReferences(
  { item }: BookletRequest,
  { customer, products, hasCard }: References & { hasCard: boolean },
): PrintedCustomer {
  const missing = [
    ...(customer ? [] : ['#/customerId']),
    ...(hasCard ? [] : ['#/cardId']),
    ...(products.has(item.productId) ? [] : ['#/recurringItem/productId']),
  ]
  if (!customer || missing.length > 0) throw unknownReference('The booklet', missing)
  return customer
}

function draftOf(
  sellerId: number,
  { start, item, ...asked }: BookletRequest,
  { customer, products }: References & { customer: PrintedCustomer },
  at: number,
): Omit<WholeRecurring, 'id'> {
  const today = dayOf(at)
  if (start.date !== undefined && dayOf(start.date) < today) {
    throwFaults([fault('#/billingCycleStartDate', 'MIN', 'must be today or later')])
  }
  const anchorDay = anchorOf(start, today)
  return {
    ...asked,
    sellerId,
    kind: 'BOOKLET',
    status: 'ACTIVE',
    customerId: customer.id,
    customerDocument: customer.document,
    anchorDay,
    startOverridden: start.isOverridden,
    firstDueDate: null,
    cyclesBilled: 0,
    nextPeriod: 0,
    nextCycleDay: anchorDay,
    items: [{ ...item, id: 1, description: products.get(item.productId) ?? '' }],
    sequence: 1,
    createdAt: at,
    updatedAt: at,
  }
}

/** Makes and finalizes every invoice now, in few statements, however many they are. */
async function billAll(
  { reminderDays }: Deps,
  tx: Db,
  draft: Omit<WholeRecurring, 'id'>,
  printed: { customer: PrintedCustomer; productNames: ReadonlyMap<number, string> },
): Promise<{ booklet: WholeRecurring; invoices: WholeInvoice[] }> {
  const { sellerId, customerId, createdAt: at } = draft
  const keptCardId = await findKeptCard(tx, { sellerId, customerId })
  const booklet = await insertRecurring(tx, draft)
  const numbers = await claimNumbers(tx, new Map([[sellerId, draft.charges ?? 0]]))
  const names = (numbers.get(sellerId) ?? []).map((invoiceNumber) => ({
    invoiceNumber,
    publicId: newPublicId(),
  }))
  const cycles = billBooklet(booklet, { printed, keptCardId, names, at })
  const invoices = await insertInvoices(
    tx,
    cycles.map(({ invoice }) => invoice),
  )
  await tellAll(tx, eventsOf(cycles, invoices))
  await planReminders(tx, invoices, reminderDays)
  const finished = cycles.at(-1)?.recurring ?? booklet
  await saveRecurring(tx, [finished])
  return { booklet: finished, invoices }
}

function eventsOf(cycles: readonly BookletCycle[], invoices: readonly WholeInvoice[]) {
  return invoices.flatMap((invoice, place) => {
    const { id: invoiceId, cycle } = invoice
    const made = cycles[place]
    if (!made || cycle === null) throw new Error('an invoice of no cycle')
    return [
      invoiceEvent({ ...made.draft, id: invoiceId }, 'invoice.created'),
      invoiceEvent(invoice, 'invoice.finalized'),
      eventOf(made.recurring, 'recurring_invoice.cycle_billed', { invoiceId, cycle }),
    ]
  })
}

/** Saves the slips. An invoice whose slip nobody could pay is left without one; GenerateBoletos says why. */
async function saveSlips(
  { boletos: { rules } }: Deps,
  tx: Db,
  invoices: readonly WholeInvoice[],
  { account, at }: { account: string; at: number },
): Promise<Boleto[]> {
  const [first] = invoices
  if (!first) return []
  const shared = {
    account,
    payer: await findPayer(tx, first),
    dispatchDeadline: dispatchDeadline(MANY_MS),
    askAt: at + rules.settleFirstMs,
    at,
  }
  const drafts = invoices.flatMap((invoice) => {
    try {
      return [newSlip({ invoice, ...shared })]
    } catch (error) {
      if (error instanceof DomainError) return []
      throw error
    }
  })
  return insertBoletos(tx, drafts)
}
