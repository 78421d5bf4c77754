import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetPaymentPageRequest } from '@cofre/proto/invoices/v1/pages'
import type { Deps } from '../deps'
import { readPublicInvoice } from '../invoice/store/invoice-store'
import { removeCards } from '../recurring/rpc/customer-cards'

/** The payer of an invoice wants no stored card charged any more (brand rules on stored credentials; LGPD, art. 18). */
export async function removeKeptCards(deps: Deps, { publicId }: GetPaymentPageRequest): Promise<Empty> {
  const { sellerId, customer } = await readPublicInvoice(deps.pool, publicId)
  await removeCards(deps, { sellerId, customerId: customer.id }, () => true)
  return {}
}
