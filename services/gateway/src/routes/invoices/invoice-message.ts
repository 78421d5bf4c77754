import { paymentMethod } from '@cofre/api/invoice'
import { CreateInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import type { z } from 'zod'
import type { invoiceRequestSchema } from './invoice-request'

type Accepted = z.output<typeof invoiceRequestSchema>['acceptedPaymentMethods']

/** Returns payment methods for the service, without settings that belong to another method than the entry's own. */
export function acceptedMethodMessages(accepted: Accepted = []) {
  return accepted.map(({ method, cardSettings, boletoSettings }) => ({
    method: paymentMethod.valueOf(method),
    ...(method === 'CREDIT_CARD' ? { cardSettings } : { boletoSettings }),
  }))
}

/** Returns a new invoice for the service. */
export function newInvoiceMessage(
  sellerId: number,
  { acceptedPaymentMethods, ...given }: z.output<typeof invoiceRequestSchema>,
): CreateInvoiceRequest {
  const acceptedMethods = acceptedMethodMessages(acceptedPaymentMethods)
  return CreateInvoiceRequest.fromPartial({ ...given, sellerId, acceptedMethods })
}
