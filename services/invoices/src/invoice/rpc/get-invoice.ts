import type { GetInvoiceRequest, Invoice } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { toMessage } from '../store/invoice-message'
import { readInvoice } from '../store/invoice-store'

export async function getInvoice(
  { pool }: Deps,
  { sellerId, invoiceId: id }: GetInvoiceRequest,
): Promise<Invoice> {
  return toMessage(await readInvoice(pool, { sellerId, id }), now())
}
