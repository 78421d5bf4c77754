/** The contract's names, which the database and the API use too. */
export type ProductType = 'ONETIME' | 'RECURRING'
export type ProductMethod = 'CREDIT_CARD' | 'BOLETO' | 'PIX'

/** The fields of a product that a seller gives. Null when not given. */
export type ProductFields = {
  productType: ProductType
  name: string
  nameKey: string
  /** Cents. */
  value: number
  affiliateId: number | null
  softDescriptor: string | null
  maxInstallments: number | null
  active: boolean
  methods: readonly ProductMethod[]
  description: string | null
  themeId: number | null
  feePassThrough: boolean
}

/** A product of a seller. `linkToken`: names the page of its payment link; nobody can guess it. Times in epoch milliseconds. */
export type Product = ProductFields & {
  id: number
  sellerId: number
  linkToken: string
  createdAt: number
  updatedAt: number
}

/** Whether a product can have a payment link: what is paid again and again, or costs nothing, is not bought by one. */
export function hasLink({ productType, value }: Pick<Product, 'productType' | 'value'>): boolean {
  return productType === 'ONETIME' && value > 0
}
