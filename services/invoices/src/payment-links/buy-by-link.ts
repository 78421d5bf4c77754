import { dayOf } from '@cofre/platform/calendar-day'
import { DomainError, notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import { Invoice as Message } from '@cofre/proto/invoices/v1/invoices'
import type { BuyByLinkRequest } from '@cofre/proto/invoices/v1/payment_links'
import { CUSTOMERS } from '../catalog/customers/customer-store'
import { fieldsOf } from '../catalog/customers/customer-message'
import type { CustomerFields } from '../catalog/customers/customer'
import type { Product, ProductMethod } from '../catalog/products/product'
import { readLinkedProduct } from '../catalog/products/product-store'
import { newPublicId } from '../catalog/public-id'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { finalizedSteps } from '../invoice/rpc/create-invoice'
import { latenessOf } from '../invoice/rules/lateness'
import { newInvoice } from '../invoice/rules/new-invoice'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { toMessage } from '../invoice/store/invoice-message'
import { beginInvoice, insertInvoice, type References } from '../invoice/store/new-invoice-store'
import { requireAll } from '../request-check'
import { methodsForSale } from './get-payment-link'
import { lastDayToPay, methodsOf, waitSeconds, WAITING } from './link-terms'
import { findCustomer, lockBuyer, unpaidSince } from './payment-link-store'

/** Makes the invoice of a stranger who buys a product by its link. */
export async function buyByLink(deps: Deps, request: BuyByLinkRequest): Promise<Replayable<Message>> {
  const { pool, log } = deps
  const buyer = readBuyer(request)
  const product = await readLinkedProduct(pool, request.linkToken)
  const usable = await methodsForSale(deps, product)
  const { sellerId, id: productId } = product
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    if (usable.length === 0) throw closed()
    await lockBuyer(tx, productId, buyer.document)
    await checkWaiting(tx, product, buyer.document)
    const at = now()
    const customerId = await customerOf(tx, sellerId, buyer, at)
    const { references, ids } = await beginInvoice(tx, { sellerId, customerId, productIds: [productId] })
    const sold = { buyer, customerId, references, sellerName: request.sellerName || null }
    const draft = { ...draftOf(product, usable, sold, at), id: ids.id }
    const steps = finalizedSteps(draft, ids, at)
    const invoice = await insertInvoice(tx, [{ invoice: draft, event: 'invoice.created' }, ...steps])
    log.info({ sellerId, productId, invoiceId: invoice.id }, 'invoice made by a payment link')
    return toMessage(invoice, at)
  })
}

type Buyer = CustomerFields & { email: string; emailKey: string }

/** INVALID_ARGUMENT VALIDATION_FAILED without a name, a document and an e-mail. */
function readBuyer({ name, document, email }: BuyByLinkRequest): Buyer {
  requireAll({ '#/name': name, '#/document': document, '#/email': email })
  const nothing = { birthdate: '', phone: undefined, address: undefined }
  const { emailKey, ...fields } = fieldsOf({ name, document, email, ...nothing })
  return { ...fields, email, emailKey: emailKey ?? '' }
}

/** Throws RATE_LIMITED where too many purchases of the same document wait for their payment. */
async function checkWaiting(tx: Db, { sellerId, id: productId }: Product, document: string): Promise<void> {
  const at = now()
  const made = await unpaidSince(tx, { sellerId, productId, document }, at - WAITING.withinMs)
  const retryAfterSeconds = waitSeconds(made, at)
  if (retryAfterSeconds === undefined) return
  const message = `At most ${WAITING.most} purchases of one document may wait for their payment.`
  throw new DomainError('rate_limited', 'RATE_LIMITED', message, { retryAfterSeconds })
}

/** The customer whose document and e-mail both match. Who knows one of them is not taken for that person: a new one is made. */
async function customerOf(tx: Db, sellerId: number, buyer: Buyer, at: number): Promise<number> {
  const { document, emailKey } = buyer
  const known = await findCustomer(tx, { sellerId, document, emailKey })
  if (known !== undefined) return known
  const { id } = await CUSTOMERS.insert(tx, { ...buyer, sellerId, createdAt: at, updatedAt: at })
  return id
}

type Sold = { buyer: Buyer; customerId: number; references: References; sellerName: string | null }

function draftOf(
  product: Product,
  usable: readonly ProductMethod[],
  { buyer, customerId, references: { products, holidays }, sellerName }: Sold,
  at: number,
): WholeInvoice {
  const { sellerId, id: productId, value: unitPrice, softDescriptor, affiliateId } = product
  const description = products.get(productId)
  // Deleted since it was read.
  if (description === undefined) throw notFound()
  const dueDate = lastDayToPay(at, holidays)
  // What the buyer typed is printed: a page that anybody may open says nothing that was known of a customer.
  const { name, document, email } = buyer
  return newInvoice(
    {
      sellerId,
      publicId: newPublicId(),
      invoiceNumber: '',
      customer: { id: customerId, name, document, email },
      dueDate,
      paymentLimitDate: dueDate,
      ...latenessOf({ dueDate, lateFrom: null }, dayOf(at), holidays),
      acceptedMethods: methodsOf(product, usable),
      partialPayments: false,
      splits: [],
      fine: null,
      interest: null,
      discounts: [],
      notificationUrl: null,
      successUrl: null,
      recurringInvoiceId: null,
      cycle: null,
      paymentLinkProductId: productId,
      softDescriptor,
      affiliateId,
      sellerName,
      items: [{ productId, quantity: 1, unitPrice, description }],
    },
    at,
  )
}

function closed(): DomainError {
  return new DomainError('failed_precondition', 'PAYMENT_WINDOW_CLOSED', 'The product is not sold.')
}
