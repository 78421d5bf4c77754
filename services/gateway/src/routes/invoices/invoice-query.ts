import { invoiceStatus } from '@cofre/api/invoice'
import type { ListInvoicesRequest } from '@cofre/proto/invoices/v1/invoices'
import type { z } from 'zod'
import { documentNumber } from '../fields/document-number'
import { queryBoolean, queryInstant, queryNames, queryText } from '../fields/query-fields'

/** The filters of invoices. They combine. */
export const invoiceFilters = {
  invoiceNumber: queryText().optional(),
  status: queryNames(invoiceStatus.schema).optional(),
  document: documentNumber().optional(),
  pastDue: queryBoolean().optional(),
  dueDateFrom: queryInstant().optional(),
  dueDateTo: queryInstant().optional(),
  closeDateFrom: queryInstant().optional(),
  closeDateTo: queryInstant().optional(),
  paymentDateFrom: queryInstant().optional(),
  paymentDateTo: queryInstant().optional(),
  createdFrom: queryInstant().optional(),
  createdTo: queryInstant().optional(),
}

type Filters = z.output<z.ZodObject<typeof invoiceFilters>>

/** Returns the filters for the service. */
export function filtersOf(query: Filters): Omit<ListInvoicesRequest, 'sellerId' | 'page' | 'size' | 'after'> {
  const { status = [], ...filters } = query
  return { ...ABSENT, ...filters, statuses: status.map(invoiceStatus.valueOf) }
}

const ABSENT = {
  invoiceNumber: undefined,
  document: undefined,
  pastDue: undefined,
  dueDateFrom: undefined,
  dueDateTo: undefined,
  closeDateFrom: undefined,
  closeDateTo: undefined,
  paymentDateFrom: undefined,
  paymentDateTo: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}
