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
  return CreateRecurringInvoiceRequest.fromPartial({
    ...billingMessage(sellerId, given),
    startDateOverridden: given.isBillingCycleStartDateOverridden,
    nextCycleDueDate: given.nextCycleDueDate,
    recurringItems: given.recurringItems,
    extraItems: given.extraItems.map(({ cycle, ...item }) => ({ cycle, item })),
  })
}

/** A new booklet as the service takes it. */
export function newBookletMessage(
  sellerId: number,
  given: z.output<typeof bookletRequestSchema>,
): CreateBookletRequest {
  return CreateBookletRequest.fromPartial({
    ...billingMessage(sellerId, given),
    charges: given.chargesByBooklet,
    recurringItem: given.recurringItem,
  })
}

type Given = z.output<typeof recurringRequestSchema> | z.output<typeof bookletRequestSchema>

/** Whom both bill, when, and how. */
function billingMessage(sellerId: number, given: Given) {
  const { acceptedPaymentMethods, splits, fine, interest, notificationUrl, ...asked } = given
  return {
    sellerId,
    customerId: asked.customerId,
    billingCycleStartDate: asked.billingCycleStartDate,
    daysUntilDue: asked.daysUntilDue,
    frequency: billingFrequency.valueOf(asked.billingFrequency),
    collectionMethod: collectionMethod.valueOf(asked.collectionMethod),
    orderReference: asked.orderReference,
    cardId: asked.cardId,
    onPaymentFailure: onPaymentFailure.valueOf(asked.onPaymentFailure),
    terms: {
      acceptedMethods: acceptedMethodMessages(acceptedPaymentMethods),
      splits,
      fine,
      interest,
      notificationUrl,
    },
  }
}
