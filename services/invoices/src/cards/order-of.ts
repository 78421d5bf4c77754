import { AuthorizeOrderRequest, type CardAuthentication } from '@cofre/proto/orders/v1/orders'
import type { WholeInvoice } from '../invoice/rules/invoice'
import type { ChosenCard } from './choose-card'

/** A payment by card. `amount` in cents. */
type Paying = ChosenCard['source'] & {
  amount: number
  installments: number
  authentication?: CardAuthentication
}

/** Who begins it and why, and whether the guard against card testing counts it. Without it: the customer, and it does. */
type Initiation = Pick<AuthorizeOrderRequest, 'initiator' | 'reason' | 'exemptFromTestingGuard'>

/** The order that pays an invoice with a card, whole and at once. */
export function orderOf(
  { sellerId, id: invoiceId, invoiceNumber, customer, softDescriptor, affiliateId }: WholeInvoice,
  payment: Paying,
  initiation: Partial<Initiation> = {},
): AuthorizeOrderRequest {
  return AuthorizeOrderRequest.fromPartial({
    sellerId,
    orderReference: invoiceNumber,
    amount: payment.amount,
    customer: { name: customer.name, document: customer.document, email: customer.email ?? '' },
    payments: [payment],
    metadata: { invoiceId },
    capture: true,
    softDescriptor: softDescriptor ?? '',
    affiliateId: affiliateId ?? undefined,
    ...initiation,
  })
}
