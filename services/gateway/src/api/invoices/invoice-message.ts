import { discountMessage } from '@cofre/api/invoice-terms'
import { CreateInvoiceRequest, type ReplaceInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import type { z } from 'zod'
import type { invoiceReplacementSchema, invoiceRequestSchema } from './invoice-request'
import { acceptedMethodMessages } from './methods'

type Given = z.output<typeof invoiceRequestSchema> | z.output<typeof invoiceReplacementSchema>

/** Returns a new invoice for the service. Its letters name the seller by `sellerName`, unless it is empty. */
export function newInvoiceMessage(
  seller: { sellerId: number; sellerName: string },
  { acceptedPaymentMethods, discounts: asked, ...given }: Given,
): CreateInvoiceRequest {
  const acceptedMethods = acceptedMethodMessages(acceptedPaymentMethods)
  const discounts = asked.map(discountMessage)
  return CreateInvoiceRequest.fromPartial({ ...given, ...seller, acceptedMethods, discounts })
}

/** Returns the replacement of a draft for the service. */
export function replacementMessage(
  key: Pick<ReplaceInvoiceRequest, 'sellerId' | 'invoiceId'>,
  { updatedAt, ...given }: z.output<typeof invoiceReplacementSchema>,
): ReplaceInvoiceRequest {
  return { ...key, invoice: newInvoiceMessage({ ...key, sellerName: '' }, given), updatedAt }
}
