import type { GetLatestChargeRequest, InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../../deps'
import { chargeMessage } from '../store/invoice-message'
import { readLatestCharge } from '../store/invoice-store'
import { fault, throwFaults } from '../../request-check'

export async function getLatestCharge(
  { pool }: Deps,
  { sellerId, invoiceId: id, invoiceNumber }: GetLatestChargeRequest,
): Promise<InvoiceCharge> {
  if ((id === undefined) === (invoiceNumber === undefined)) {
    throwFaults([fault('#/invoiceNumber', 'EXACTLY_ONE', 'is required without an id')])
  }
  const { charge, transactions } = await readLatestCharge(pool, { sellerId, id, invoiceNumber })
  return chargeMessage(charge, transactions)
}
