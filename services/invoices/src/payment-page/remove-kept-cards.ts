import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetPaymentPageRequest } from '@cofre/proto/invoices/v1/pages'
import { notFound } from '@cofre/platform/errors'
import type { Deps } from '../deps'
import { isOfItsCustomer } from './get-payment-page'
import { readPublicInvoice } from '../invoice/store/invoice-store'
import { removeCards } from '../recurring/rpc/customer-cards'

/** The payer of an invoice wants no stored card charged any more (brand rules on stored credentials; LGPD, art. 18). */
export async function removeKeptCards(deps: Deps, { publicId }: GetPaymentPageRequest): Promise<Empty> {
  const invoice = await readPublicInvoice(deps.pool, publicId)
  if (!isOfItsCustomer(invoice)) throw notFound()
  const { sellerId, customer } = invoice
  await removeCards(deps, { sellerId, customerId: customer.id }, () => true)
  return {}
}
