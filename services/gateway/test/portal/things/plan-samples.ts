import { EmailLanguage } from '@cofre/proto/invoices/v1/invoices'
import {
  BillingFrequency,
  CollectionMethod,
  OnPaymentFailure,
  RecurringInvoice,
  RecurringInvoiceKind,
  RecurringInvoiceStatus,
} from '@cofre/proto/invoices/v1/recurring'

/** A plan of Ana that charges her card for 99 reais a month, with `changes`. */
export function billedPlan(changes: Parameters<typeof RecurringInvoice.fromPartial>[0]): RecurringInvoice {
  return RecurringInvoice.fromPartial({
    customerId: 7,
    customerName: 'Ana Souza',
    amount: 9_900,
    kind: RecurringInvoiceKind.RECURRING,
    status: RecurringInvoiceStatus.ACTIVE,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CollectionMethod.CHARGE_AUTOMATICALLY,
    onPaymentFailure: OnPaymentFailure.PAST_DUE,
    language: EmailLanguage.PORTUGUESE,
    terms: {},
    ...changes,
  })
}
