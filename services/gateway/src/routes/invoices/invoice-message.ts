import { paymentMethod } from '@cofre/api/invoice'
import { CreateInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import type { z } from 'zod'
import type { invoiceRequestSchema } from './invoice-request'

/** A new invoice as the service takes it. Settings of another method than the entry's own are left out. */
export function newInvoiceMessage(
  sellerId: number,
  { acceptedPaymentMethods = [], ...given }: z.output<typeof invoiceRequestSchema>,
): CreateInvoiceRequest {
  const acceptedMethods = acceptedPaymentMethods.map(({ method, cardSettings, boletoSettings }) => ({
    method: paymentMethod.valueOf(method),
    ...(method === 'CREDIT_CARD' ? { cardSettings } : { boletoSettings }),
  }))
  return CreateInvoiceRequest.fromPartial({ ...given, sellerId, acceptedMethods })
}
