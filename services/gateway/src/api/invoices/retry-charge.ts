import { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { z } from 'zod'
import { route } from '../../http/route'
import { MOVING_MONEY } from '../charge-answer'
import { pathId } from '../fields/path-fields'
import { answerPayment, PAYMENT_MADE } from './invoice-payments'
import { INVOICES } from './invoice-urls'

const retryAutomaticCharge = route({
  method: 'POST',
  path: `${INVOICES}/{id}/automatic-charge/retry`,
  scope: 'invoices:write',
  operationId: 'retryAutomaticCharge',
  callsPartner: 'acquirer',
  tag: 'Invoices',
  summary: 'Charge the card of a recurring invoice for its invoice once more',
  description:
    'Charges now, after the last try (GIVEN_UP) or between two, the stored card that is next. From the morning of the due date on. The schedule goes on after it. Within the limits of the card’s brand: AUTOMATIC_CHARGE_REFUSED says in reason what forbids the try. A repeat with its Idempotency-Key charges nothing. If the charge could not begin at once, automaticCharge is WAITING, and Cofre makes it soon. A card that the customer keeps after the last try is tried by itself, once, on the next day.',
  params: z.object({ id: pathId }),
  responses: { 201: PAYMENT_MADE },
  problems: ['INVALID_INVOICE_STATE', 'PAYMENT_PENDING', 'AUTOMATIC_CHARGE_REFUSED'],
  message: InvoiceCharge,
  handle: ({ sellerId, params }, { services: { invoicePayments } }) => {
    const request = { sellerId, invoiceId: params.id }
    return callRepeatable(invoicePayments, invoicePayments.retryAutomaticCharge, request, MOVING_MONEY)
  },
  present: answerPayment,
})

export const retryChargeRoutes = [retryAutomaticCharge]
