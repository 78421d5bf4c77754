import { callRpc } from '@cofre/platform/grpc/client'
import type { ListChargesResponse } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'
import { route } from '../http/route'
import { chargeFilters, filtersOf } from './charge-query'
import { PAYMENT_COLUMNS, paymentRowsOf } from './csv/charge-csv'
import { CSV_DIALECT, csvHeaders, csvOf, readPages } from './csv/csv'

const exportCharges = route({
  method: 'GET',
  path: '/api/v2/charges/csv',
  scope: 'orders:read',
  operationId: 'exportCharges',
  tag: 'Charges',
  summary: 'Export charges as CSV',
  description: `One row a payment, with the acquirer’s or the bank’s names of it. captured and refunded are of that payment; captureDate is the day of its capture. The filters are those of the list. ${CSV_DIALECT}`,
  query: z.object(chargeFilters),
  translated: true,
  responses: {
    200: {
      description: 'UTF-8, RFC 4180, newest first.',
      contentType: 'text/csv',
      headers: ['Content-Disposition', 'Content-Language'],
    },
  },
  handle: ({ sellerId, query }, { services: { orders } }) => {
    const request = { ...filtersOf(query), sellerId, page: 0 }
    return readPages<ListChargesResponse>((size, before) =>
      callRpc(orders, orders.exportCharges, {
        ...request,
        size,
        after: before?.charges.at(-1)?.id,
        place: before?.place,
      }),
    )
  },
  present: (pages, { language }) => ({
    status: 200,
    headers: csvHeaders('charges', language),
    text: csvOf(pages, PAYMENT_COLUMNS, ({ charges }) => paymentRowsOf(charges), language),
  }),
})

export const chargeExportRoutes = [exportCharges]
