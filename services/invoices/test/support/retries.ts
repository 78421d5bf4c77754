import { callRepeatable } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Invoice, InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { billedInvoice, declineWith, followAll, type Billed } from './dunning'
import { DAY_MS } from './invoices'
import { answerAsUsual } from './payments'
import type { TestInvoices } from './start-invoices'

/** Charges the card of an invoice once more. */
export function retryAgain(
  { payments }: Pick<TestInvoices, 'payments'>,
  { sellerId, id: invoiceId }: Pick<Invoice, 'sellerId' | 'id'>,
): Promise<Replayable<InvoiceCharge>> {
  return callRepeatable(payments, payments.retryAutomaticCharge, { sellerId, invoiceId })
}

/** An invoice whose card was declined on each day of the schedule. The clock stands on the day after. */
export async function givenUp(
  invoices: TestInvoices,
  wanted: Parameters<typeof billedInvoice>[1] = {},
): Promise<Billed & { at: number }> {
  const billed = await billedInvoice(invoices, wanted)
  invoices.behind.orders.hooks.outcome = declineWith({})
  await followAll(invoices, billed, 8)
  answerAsUsual(invoices)
  invoices.behind.orders.asked.authorize.length = 0
  return { ...billed, at: billed.dueAt + 8 * DAY_MS + 60_000 }
}
