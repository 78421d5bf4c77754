import { billingFrequency, collectionMethod, onPaymentFailure } from '@cofre/api/recurring-invoice'
import { CreateBookletRequest, CreateRecurringInvoiceRequest } from '@cofre/proto/invoices/v1/recurring'
import type { z } from 'zod'
import { acceptedMethodMessages } from '../invoices/invoice-message'
import type { bookletRequestSchema } from './booklet-request'
import type { recurringRequestSchema } from './recurring-request'

/** A new recurring invoice as the service takes it. */
export function newRecurringMessage(
  sellerId: number,
  given: z.output<typeof recurringRequestSchema>,
): CreateRecurringInvoiceRequest {
  const { acceptedPaymentMethods, splits, fine, interest, notificationUrl, ...asked } = given
  return CreateRecurringInvoiceRequest.fromPartial({
    sellerId,
    customerId: asked.customerId,
    billingCycleStartDate: asked.billingCycleStartDate,
    startDateOverridden: asked.isBillingCycleStartDateOverridden,
    daysUntilDue: asked.daysUntilDue,
    frequency: billingFrequency.valueOf(asked.billingFrequency),
    collectionMethod: collectionMethod.valueOf(asked.collectionMethod),
    orderReference: asked.orderReference,
    nextCycleDueDate: asked.nextCycleDueDate,
    recurringItems: asked.recurringItems,
    extraItems: asked.extraItems.map(({ cycle, ...item }) => ({ cycle, item })),
    cardId: asked.cardId,
    onPaymentFailure: onPaymentFailure.valueOf(asked.onPaymentFailure),
    terms: {
      acceptedMethods: acceptedMethodMessages(acceptedPaymentMethods),
      splits,
      fine,
      interest,
      notificationUrl,
    },
  })
}

/** A new booklet as the service takes it. */
export function newBookletMessage(
  sellerId: number,
  given: z.output<typeof bookletRequestSchema>,
): CreateBookletRequest {
  const { acceptedPaymentMethods, splits, fine, interest, notificationUrl, ...asked } = given
  return CreateBookletRequest.fromPartial({
    sellerId,
    customerId: asked.customerId,
    daysUntilDue: asked.daysUntilDue,
    frequency: billingFrequency.valueOf(asked.billingFrequency),
    collectionMethod: collectionMethod.valueOf(asked.collectionMethod),
    charges: asked.chargesByBooklet,
    recurringItem: asked.recurringItem,
    orderReference: asked.orderReference,
    billingCycleStartDate: asked.billingCycleStartDate,
    cardId: asked.cardId,
    onPaymentFailure: onPaymentFailure.valueOf(asked.onPaymentFailure),
    terms: {
      acceptedMethods: acceptedMethodMessages(acceptedPaymentMethods),
      splits,
      fine,
      interest,
      notificationUrl,
    },
  })
}
