import type { ListPage } from '@cofre/platform/list-page'
import {
  between,
  readFollowing,
  readList,
  type FollowingRequest,
  type List,
  type ListRequest,
} from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { now } from '../../clock/billing-clock'
import { dayOf } from '@cofre/platform/calendar-day'
import type { Invoice } from '../rules/invoice'
import { invoiceOf, SELECT_INVOICE, type InvoiceRow } from './invoice-store'
import { hasUnnotified } from './past-due-store'
import { unreachedIs } from './unreached-store'

/** Epoch milliseconds, inclusive. */
export type Range = { from: number | undefined; to: number | undefined }

export type InvoiceFilter = {
  sellerId: number
  invoiceNumber: string | undefined
  /** Empty: any. */
  statuses: string[]
  document: string | undefined
  pastDue: boolean | undefined
  /** All that the invoice took went back. */
  refunded: boolean | undefined
  /** It reaches nobody, as things are now. */
  unreachable: boolean | undefined
  /** The product by whose payment link it was made. */
  paymentLinkProductId: number | undefined
  /** The bank's number of a boleto of it. */
  ourNumber: string | undefined
  dueDate: Range
  closeDate: Range
  paymentDate: Range
  created: Range
}

/** As the partial index says it. */
const REFUNDED = 't.refunded_amount > 0 AND t.refunded_amount = t.paid_amount'

type Condition = readonly [condition: string, value: unknown]

/** A page of a seller's invoices at a moment (epoch milliseconds), newest first. Throws PAGE_TOO_DEEP. */
export async function listInvoices(
  pool: Pool,
  filter: InvoiceFilter,
  request: ListRequest,
  at: number,
): Promise<ListPage<Invoice>> {
  const statuses = possibleStatuses(filter)
  if (!statuses) return { entries: [], total: 0, totalIsLowerBound: false, more: false }
  const list = await listOf(pool, { ...filter, statuses }, at)
  const { entries, ...end } = await readList<InvoiceRow>(pool, list, request)
  return { entries: entries.map(invoiceOf), ...end }
}

/** The next invoices of a list, without a count. */
export async function exportInvoices(
  pool: Pool,
  filter: InvoiceFilter,
  request: FollowingRequest,
  at: number,
): Promise<Pick<ListPage<Invoice>, 'entries' | 'more' | 'place'>> {
  const statuses = possibleStatuses(filter)
  if (!statuses) return { entries: [], more: false }
  const list = await listOf(pool, { ...filter, statuses }, at)
  const { entries, ...end } = await readFollowing<InvoiceRow>(pool, list, request)
  return { entries: entries.map(invoiceOf), ...end }
}

/** A condition that says itself what is wanted has the value true; one that nobody asked for has none. */
function given(asked: boolean | undefined): true | undefined {
  return asked === undefined ? undefined : true
}

/** The statuses that the other filters leave; empty for any. Undefined when no invoice can be found. */
function possibleStatuses({ statuses, pastDue, paymentDate }: InvoiceFilter): string[] | undefined {
  const isPaid = paymentDate.from !== undefined || paymentDate.to !== undefined
  if (isPaid && (pastDue === true || (statuses.length > 0 && !statuses.includes('PAID')))) return undefined
  if (isPaid) return ['PAID']
  if (pastDue !== true || statuses.length === 0) return statuses
  const late = statuses.filter((status) => status === 'OPEN' || status === 'CLOSED')
  return late.length > 0 ? late : undefined
}

async function listOf(pool: Pool, filter: InvoiceFilter, at: number): Promise<List> {
  const { sellerId, statuses, invoiceNumber, document, paymentLinkProductId, ourNumber } = filter
  const { refunded, unreachable } = filter
  const ranges = [
    { column: 'payment_date', ...filter.paymentDate },
    { column: 'close_date', ...filter.closeDate },
    { column: 'due_date', ...filter.dueDate },
    { column: 'created_at', ...filter.created },
  ]
  const conditions: Condition[] = [
    ['t.invoice_number = $', invoiceNumber],
    ['t.customer_document = $', document],
    ['t.payment_link_product_id = $', paymentLinkProductId],
    ['t.id = (SELECT b.invoice_id FROM boletos b WHERE b.our_number = $)', ourNumber],
    [refunded ? `${REFUNDED} AND $` : `NOT (${REFUNDED}) AND $`, given(refunded)],
    [unreachedIs(unreachable === true), given(unreachable)],
    ...(await pastDueOf(pool, filter, at)),
  ]
  const list = { table: 'invoices', select: SELECT_INVOICE, sellerId, statuses }
  // A customer has few invoices, and a number only one: these conditions find them.
  if (invoiceNumber === undefined && document === undefined && ourNumber === undefined)
    return { ...list, conditions, ranges }
  const bounds = ranges.flatMap(({ column, from, to }) => between(`t.${column}`, from, to))
  return { ...list, conditions: [...conditions, ...bounds] }
}

/**
 * An index knows which invoices are past due, except those that became so a moment ago. While a seller has one of
 * these, and for any day but today, the day itself is compared.
 */
async function pastDueOf(
  pool: Pool,
  { sellerId, pastDue }: InvoiceFilter,
  at: number,
): Promise<readonly Condition[]> {
  if (pastDue === undefined) return []
  const today = dayOf(at)
  if (today === dayOf(now()) && !(await hasUnnotified(pool, sellerId, today)))
    return [['t.past_due_notified = $', pastDue]]
  const isPastDue = `(t.status IN ('OPEN', 'CLOSED') AND t.late_on <= $)`
  return [[pastDue ? isPastDue : `NOT ${isPastDue}`, today]]
}
