import { callRpc } from '@cofre/platform/grpc/client'
import type { Invoice } from '@cofre/proto/invoices/v1/invoices'
import type { BuyByLinkRequest, PaymentLink } from '@cofre/proto/invoices/v1/payment_links'
import { ProductMethod, type Product, type ProductFields } from '@cofre/proto/invoices/v1/products'
import { createProduct } from '../support/products'
import { withKey } from '../support/repeated'
import { newSeller, type TestInvoices } from '../support/start-invoices'

export const ANA = { name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' }

type Service = Pick<TestInvoices, 'links'>

/** A product of a new seller that can be bought by card. */
export function newProduct(invoices: TestInvoices, changes: Partial<ProductFields> = {}): Promise<Product> {
  return createProduct(invoices, newSeller(), { methods: [ProductMethod.CREDIT_CARD], ...changes })
}

export function open({ links }: Service, { linkToken }: Pick<Product, 'linkToken'>): Promise<PaymentLink> {
  return callRpc(links, links.getPaymentLink, { linkToken })
}

export function buy(
  { links }: Service,
  { linkToken }: Pick<Product, 'linkToken'>,
  buyer: Partial<BuyByLinkRequest> = {},
): Promise<Invoice> {
  return callRpc(links, links.buyByLink, { linkToken, ...ANA, sellerName: 'Padaria Sol', ...buyer })
}

export function buyOnce(service: Service, product: Product, key: string, body = 'body'): Promise<Invoice> {
  return withKey(key, () => buy(service, product), body)
}

export function salesOf({ links }: Service, { sellerId, id: productId }: Product) {
  return callRpc(links, links.getPaymentLinkSales, { sellerId, productId })
}

/** How many invoices and customers a seller has. */
export async function countOf({ pool }: TestInvoices, { sellerId }: Product) {
  const { rows } = await pool.query<{ invoices: number; customers: number }>(
    `SELECT (SELECT count(*) FROM invoices WHERE seller_id = $1) AS invoices,
      (SELECT count(*) FROM customers WHERE seller_id = $1) AS customers`,
    [sellerId],
  )
  return rows[0]
}
