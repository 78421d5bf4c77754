import type { Db } from '@cofre/platform/postgres/postgres'

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

export type CustomerKey = { sellerId: number; customerId: number }

/** The steps of a customer's deletion in other rooms, in its transaction: before the row is deleted, and after. */
export type CustomerLeaves = {
  before: readonly ((tx: Db, customer: CustomerKey) => Promise<unknown>)[]
  /** `at`: epoch milliseconds. */
  after: readonly ((tx: Db, customer: CustomerKey & { at: number }) => Promise<unknown>)[]
}
