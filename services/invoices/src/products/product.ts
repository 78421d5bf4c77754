/** The contract's words, as the database and the API have them too. */
export type ProductType = 'ONETIME' | 'RECURRING'
export type ProductMethod = 'CREDIT_CARD' | 'BOLETO' | 'PIX'

/** What a seller says of a product. Null: not given. */
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

/** Something that a seller sells. Times in epoch milliseconds. */
export type Product = ProductFields & { id: number; sellerId: number; createdAt: number; updatedAt: number }
