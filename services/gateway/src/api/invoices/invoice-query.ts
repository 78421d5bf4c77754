import { invoiceStatus } from '@cofre/api/invoice'
import type { ListInvoicesRequest } from '@cofre/proto/invoices/v1/invoices'
import type { z } from 'zod'
import { documentNumber } from '../fields/document-number'
import {
  queryBoolean,
  queryBound,
  queryId,
  queryNames,
  queryOurNumber,
  queryUniqueName,
} from '../fields/query-fields'

/** The filters of invoices. They combine. */
export const invoiceFilters = {
  invoiceNumber: queryUniqueName().optional(),
  status: queryNames(invoiceStatus.schema).optional(),
  document: documentNumber().optional(),
  pastDue: queryBoolean().optional(),
  refunded: queryBoolean()
    .optional()
    .meta({ description: 'true: all that the invoice took went back. Its status stays PAID.' }),
  unreachable: queryBoolean().optional().meta({
    description: 'true: it reaches nobody. It has the warning `NOBODY_TO_MAIL` or `NOBODY_TO_CHARGE`.',
  }),
  paymentLinkProductId: queryId()
    .optional()
    .meta({ description: 'Only what was bought by the payment link of this product.' }),
  ourNumber: queryOurNumber().optional(),
  dueDateFrom: queryBound('from').optional(),
  dueDateTo: queryBound('to').optional(),
  closeDateFrom: queryBound('from').optional(),
  closeDateTo: queryBound('to').optional(),
  paymentDateFrom: queryBound('from').optional(),
  paymentDateTo: queryBound('to').optional(),
  createdFrom: queryBound('from').optional(),
  createdTo: queryBound('to').optional(),
}

type Filters = z.output<z.ZodObject<typeof invoiceFilters>>

/** Returns the filters for the service. */
export function filtersOf(
  query: Filters,
): Omit<ListInvoicesRequest, 'sellerId' | 'page' | 'size' | 'after' | 'place'> {
  const { status = [], ...filters } = query
  return { ...ABSENT, ...filters, statuses: status.map(invoiceStatus.valueOf) }
}

const ABSENT = {
  invoiceNumber: undefined,
  document: undefined,
  pastDue: undefined,
  refunded: undefined,
  unreachable: undefined,
  paymentLinkProductId: undefined,
  ourNumber: undefined,
  dueDateFrom: undefined,
  dueDateTo: undefined,
  closeDateFrom: undefined,
  closeDateTo: undefined,
  paymentDateFrom: undefined,
  paymentDateTo: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}
