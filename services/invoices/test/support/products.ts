import { callRpc } from '@cofre/platform/grpc/client'
import { ProductFields, ProductMethod, ProductType, type Product } from '@cofre/proto/invoices/v1/products'
import type { TestInvoices } from './start-invoices'

export const MUG = ProductFields.fromPartial({
  productType: ProductType.ONETIME,
  name: 'Caneca',
  value: 4_990,
  affiliateId: 7,
  softDescriptor: 'LOJA',
  maxInstallments: 3,
  active: true,
  methods: [ProductMethod.CREDIT_CARD, ProductMethod.PIX],
  description: 'Branca, 300 ml.',
  themeId: 2,
  feePassThrough: true,
})

export function createProduct(
  { products }: Pick<TestInvoices, 'products'>,
  sellerId: number,
  changes: Partial<ProductFields> = {},
): Promise<Product> {
  return callRpc(products, products.createProduct, { sellerId, fields: { ...MUG, ...changes } })
}
