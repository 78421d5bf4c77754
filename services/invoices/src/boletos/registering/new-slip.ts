import type { Dispatch } from '../../invoice/issue-ask'
import type { Payer } from '../rules/boleto'
import { UNSENT } from '../../methods/rules/registered-ask'
import { termsOf } from '../rules/terms'
import type { NewBoleto } from '../store/boleto-store'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { newPublicId } from '../../catalog/public-id'

/**
 * The slip of an invoice as it is saved before the bank is called. FAILED_PRECONDITION PAYMENT_METHOD_NOT_ACCEPTED,
 * PAYMENT_WINDOW_CLOSED.
 */
export function newSlip(invoice: WholeInvoice, payer: Payer, { at, ...dispatch }: Dispatch): NewBoleto {
  return {
    ...UNSENT,
    ...termsOf(invoice, at),
    ...dispatch,
    payer,
    sellerId: invoice.sellerId,
    invoiceId: invoice.id,
    publicId: newPublicId(),
    barcode: null,
    digitableLine: null,
    documentNumber: invoice.invoiceNumber,
    beneficiary: null,
    createdAt: at,
    updatedAt: at,
  }
}
