/** What a seller gives of a recipient. */
export type RecipientFields = {
  name: string
  /** CPF or CNPJ, without punctuation. */
  document: string
  reference: string | null
}

/** One among whom a seller splits money. Times in epoch milliseconds. */
export type Recipient = RecipientFields & {
  id: number
  sellerId: number
  createdAt: number
  updatedAt: number
}
