import type { ListInvoicesResponse } from '@cofre/proto/invoices/v1/invoices'
import type { ListCycleInvoicesRequest } from '@cofre/proto/invoices/v1/recurring'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { toEntry } from '../../invoice/store/invoice-message'
import { listCycleInvoices as findInvoices } from '../store/cycle-invoice-store'
import { checkPage, fault, throwFaults } from '../../request-check'

export async function listCycleInvoices(
  { pool }: Deps,
  { sellerId, recurringInvoiceId, orderReference, page, size, after, place }: ListCycleInvoicesRequest,
): Promise<ListInvoicesResponse> {
  checkPage({ page, size })
  if ((recurringInvoiceId === undefined) === (orderReference === undefined)) {
    throwFaults([fault('#', 'EXACTLY_ONE', 'takes one of an id and an order reference')])
  }
  const made = { sellerId, recurringInvoiceId, orderReference }
  const { entries, ...end } = await findInvoices(pool, made, { page, size, after, place })
  return { invoices: entries.map((invoice) => toEntry(invoice, now())), ...end }
}
