import { dayOf } from '@cofre/platform/calendar-day'
import { MAX_AMOUNT } from '@cofre/platform/money'
import type { CreateInvoiceRequest } from '@cofre/proto/invoices/v1/invoices'
import { amountOf } from '../rules/amount'
import type { Invoice } from '../rules/invoice'
import type { Deps } from '../../deps'
import { fault, throwFaults, unknownReference } from '../../request-check'
import { checkDiscounts } from '../rules/discounts'
import { latenessOf } from '../rules/lateness'
import type { Replacement } from '../rules/replace-draft'
import { checkSplits } from '../rules/splits'
import type { References } from '../store/new-invoice-store'
import {
  checkFees,
  itemFaults,
  itemsOf,
  termsFaults,
  termsOf,
  type AskedItem,
  type Terms,
} from './terms-request'

/** A new invoice as requested. Amounts in cents. */
export type InvoiceRequest = Terms &
  Pick<Invoice, 'dueDate' | 'paymentLimitDate' | 'sellerName' | 'amount'> & {
    invoiceNumber: string | undefined
    items: readonly AskedItem[]
  }

/**
 * Reads what a request says, of a new invoice or of a draft. INVALID_ARGUMENT VALIDATION_FAILED. FAILED_PRECONDITION
 * SPLIT_EXCEEDS_TOTAL, PAYMENT_METHOD_NOT_ACCEPTED.
 */
export async function readTerms(
  deps: Pick<Deps, 'pool' | 'rules'>,
  request: CreateInvoiceRequest,
): Promise<InvoiceRequest> {
  const asked = readRequest(request)
  await checkFees(deps, request.sellerId, asked)
  checkSplits(asked.splits, asked.amount)
  checkDiscounts(asked.discounts, asked.amount)
  return asked
}

export function productsOf({ items }: InvoiceRequest): number[] {
  return [...new Set(items.map(({ productId }) => productId))]
}

/**
 * What an invoice says, with what is printed of its customer and products. `at`: epoch milliseconds. FAILED_PRECONDITION
 * REFERENCE_NOT_FOUND.
 */
export function printed(
  { items, invoiceNumber: _number, amount: _amount, ...asked }: InvoiceRequest,
  { customer, products, holidays }: References,
  at: number,
): Replacement {
  const missing = [
    ...(customer ? [] : ['#/customerId']),
    ...items.flatMap(({ productId }, place) =>
      products.has(productId) ? [] : [`#/items/${place}/productId`],
    ),
  ]
  if (!customer || missing.length > 0) throw unknownReference('The invoice', missing)
  const described = items.map((item) => ({ ...item, description: products.get(item.productId) ?? '' }))
  const lateness = latenessOf({ dueDate: asked.dueDate, lateFrom: null }, dayOf(at), holidays)
  return { ...asked, ...lateness, customer, items: described }
}

/** Reads a request without asking what is stored. INVALID_ARGUMENT VALIDATION_FAILED. */
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
    sellerName: request.sellerName || null,
    items,
    amount,
  }
}
