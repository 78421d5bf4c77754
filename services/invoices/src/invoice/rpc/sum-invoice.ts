import { dayOf } from '@cofre/platform/calendar-day'
import {
  CreateInvoiceRequest,
  type InvoiceSums,
  type SumInvoiceRequest,
} from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { checkDiscounts } from '../rules/discounts'
import { lateChargesOf } from '../rules/late-charges'
import { latenessOf } from '../rules/lateness'
import { holdReferences } from '../store/new-invoice-store'
import { readRequest } from './invoice-request'

/** What a draft that says this would ask for now: who writes one sees its total. */
export async function sumInvoice({ pool }: Deps, request: SumInvoiceRequest): Promise<InvoiceSums> {
  const asked = readRequest(CreateInvoiceRequest.fromPartial(request))
  checkDiscounts(asked.discounts, asked.amount)
  const { sellerId } = request
  const { holidays } = await holdReferences(pool, { sellerId, customerId: 0, productIds: [] })
  const at = now()
  const { amount, dueDate } = asked
  const lateness = latenessOf({ dueDate, lateFrom: null }, dayOf(at), holidays)
  const open = { principal: amount, fine: 0, interest: 0, countedTo: null }
  const charges = lateChargesOf({ ...asked, ...lateness, status: 'OPEN', open }, at)
  const { discountAmount, discountUntil, payableAmount } = charges
  return { amount, discountAmount, discountUntil, payableAmount }
}
