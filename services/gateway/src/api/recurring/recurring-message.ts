import { emailLanguage } from '@cofre/api/invoice-email'
import { discountMessage } from '@cofre/api/invoice-terms'
import { billingFrequency, collectionMethod, onPaymentFailure } from '@cofre/api/recurring-invoice'
import { CreateBookletRequest, CreateRecurringInvoiceRequest } from '@cofre/proto/invoices/v1/recurring'
import type { z } from 'zod'
import { acceptedMethodMessages } from '../invoices/methods'
import type { bookletRequestSchema } from './booklet-request'
import type { recurringRequestSchema } from './recurring-request'

/** The seller that bills. Customers know it by `sellerName`; when it is empty, e-mails name no seller. */
type Billing = { sellerId: number; sellerName: string }

/** Returns a new recurring invoice for the service. */
export function newRecurringMessage(
  seller: Billing,
  given: z.output<typeof recurringRequestSchema>,
): CreateRecurringInvoiceRequest {
  return CreateRecurringInvoiceRequest.fromPartial({
    ...billingMessage(seller, given),
    startDateOverridden: given.isBillingCycleStartDateOverridden,
    nextCycleDueDate: given.nextCycleDueDate,
    recurringItems: given.recurringItems,
    extraItems: given.extraItems.map(({ cycle, ...item }) => ({ cycle, item })),
  })
}

/** Returns a new booklet for the service. */
export function newBookletMessage(
  seller: Billing,
  given: z.output<typeof bookletRequestSchema>,
): CreateBookletRequest {
  return CreateBookletRequest.fromPartial({
    ...billingMessage(seller, given),
    charges: given.chargesByBooklet,
    recurringItem: given.recurringItem,
  })
}

type Given = z.output<typeof recurringRequestSchema> | z.output<typeof bookletRequestSchema>

/** Returns the common fields: the customer, the schedule and the terms. */
function billingMessage(seller: Billing, given: Given) {
  const { acceptedPaymentMethods, partialPayments, splits, fine, interest, notificationUrl, ...asked } = given
  return {
    ...seller,
    customerId: asked.customerId,
    billingCycleStartDate: asked.billingCycleStartDate,
    daysUntilDue: asked.daysUntilDue,
    frequency: billingFrequency.valueOf(asked.billingFrequency),
    collectionMethod: collectionMethod.valueOf(asked.collectionMethod),
    orderReference: asked.orderReference,
    cardId: asked.cardId,
    onPaymentFailure: onPaymentFailure.valueOf(asked.onPaymentFailure),
    cardPaysFineAndInterest: asked.cardPaysFineAndInterest,
    language: emailLanguage(asked.language),
    terms: {
      acceptedMethods: acceptedMethodMessages(acceptedPaymentMethods),
      partialPayments,
      splits,
      fine,
      interest,
      discounts: asked.discounts.map(discountMessage),
      notificationUrl,
    },
  }
}
