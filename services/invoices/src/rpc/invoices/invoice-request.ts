import { MAX_AMOUNT } from '@cofre/platform/money'
import type { CreateInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import { amountOf } from '../../invoice/amount'
import type { Invoice } from '../../invoice/invoice'
import { fault, throwFaults } from '../request-check'
import { itemFaults, itemsOf, termsFaults, termsOf, type AskedItem, type Terms } from './terms-request'

/** A new invoice as requested. Amounts in cents. */
export type InvoiceRequest = Terms &
  Pick<Invoice, 'dueDate' | 'paymentLimitDate' | 'amount'> & {
    invoiceNumber: string | undefined
    items: readonly AskedItem[]
  }

/** Reads a request. INVALID_ARGUMENT VALIDATION_FAILED. */
export function readRequest(request: CreateInvoiceRequest): InvoiceRequest {
  throwFaults([...itemFaults(request.items, '#/items', 1), ...termsFaults(request)])
  const items = itemsOf(request.items)
  const amount = amountOf(items)
  if (amount > MAX_AMOUNT)
    throwFaults([fault('#/items', 'MAX', `must add up to at most ${MAX_AMOUNT} cents`)])
  return {
    ...termsOf(request),
    dueDate: request.dueDate,
    paymentLimitDate: request.paymentLimitDate ?? null,
    invoiceNumber: request.invoiceNumber,
    items,
    amount,
  }
}
