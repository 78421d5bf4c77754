/** The fields of a customer that a seller gives. Null when not given. */
export type CustomerFields = {
  name: string
  nameKey: string
  /** CPF or CNPJ, without punctuation. */
  document: string
  /** YYYY-MM-DD. */
  birthdate: string | null
  phone: Phone | null
  email: string | null
  emailKey: string | null
  address: Address | null
}

export type Phone = { countryCode: number | null; areaCode: number | null; number: number | null }

export type Address = {
  street: string | null
  streetNumber: string | null
  lineTwo: string | null
  neighborhood: string | null
  /** Two letters. */
  state: string | null
  /** Eight digits. */
  zipCode: string | null
  city: string | null
}

/** A customer whom a seller bills. Times in epoch milliseconds. */
export type Customer = CustomerFields & { id: number; sellerId: number; createdAt: number; updatedAt: number }
