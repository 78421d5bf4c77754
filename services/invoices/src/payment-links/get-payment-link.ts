import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import type {
  GetPaymentLinkRequest,
  PaymentLink,
  PaymentLinkSales,
} from '@cofre/proto/invoices/v1/payment_links'
import type { GetProductRequest } from '@cofre/proto/invoices/v1/products'
import { cardPricesFor } from '../cards/card-price'
import { mostInstallments } from '../cards/payment-terms'
import { usableMethods } from '../catalog/products/link-methods'
import { hasLink, type Product, type ProductMethod } from '../catalog/products/product'
import { toMessage } from '../catalog/products/product-message'
import { PRODUCTS, readLinkedProduct } from '../catalog/products/product-store'
import { toMessage as themeMessage } from '../catalog/themes/theme-message'
import { findTheme } from '../catalog/themes/theme-store'
import type { Deps } from '../deps'
import { settingsOf } from '../methods/methods'
import { methodsOf } from './link-terms'
import { readSales } from './payment-link-store'

export async function getPaymentLink(deps: Deps, { linkToken }: GetPaymentLinkRequest): Promise<PaymentLink> {
  const product = await readLinkedProduct(deps.pool, linkToken)
  const usable = await methodsForSale(deps, product)
  const theme = await findTheme(deps.pool, product.sellerId)
  return {
    product: toMessage(product),
    theme: theme && themeMessage(theme),
    methods: usable.map((method) => PaymentMethod[method]),
    cardPrices: await cardPrices(deps, product, usable),
    open: usable.length > 0,
  }
}

/** The methods by which a product can be bought by its link now. None: it is closed. */
export async function methodsForSale(deps: Deps, product: Product): Promise<ProductMethod[]> {
  return product.active && hasLink(product) ? usableMethods(deps, product.sellerId, product) : []
}

async function cardPrices(
  { pool, rules }: Deps,
  product: Product,
  usable: readonly ProductMethod[],
): Promise<number[]> {
  const acceptedMethods = methodsOf(product, usable)
  if (!settingsOf(acceptedMethods, 'CREDIT_CARD')) return []
  const { value: payable, sellerId } = product
  const most = mostInstallments(rules, { acceptedMethods }, payable)
  return cardPricesFor(pool, rules, { sellerId, acceptedMethods }, { payable, most })
}

export async function getPaymentLinkSales(
  { pool }: Deps,
  { sellerId, productId }: GetProductRequest,
): Promise<PaymentLinkSales> {
  await PRODUCTS.read(pool, { sellerId, id: productId })
  return readSales(pool, { sellerId, productId })
}
