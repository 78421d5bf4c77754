import type { Customer, CustomerAddress, CustomerPhone } from '@cofre/proto/invoices/v1/customers'
import { z } from 'zod'
import { epochMs } from './schema'

const CUSTOMER_EXAMPLE = {
  id: 5,
  name: 'Ana Souza',
  document: '12345678909',
  birthdate: '1990-05-31',
  phone: { countryCode: 55, areaCode: 11, number: 987_654_321 },
  email: 'ana@example.com',
  address: {
    street: 'Rua das Flores',
    streetNumber: '120',
    lineTwo: 'ap 42',
    neighborhood: 'Centro',
    state: 'SP',
    zipCode: '01001000',
    city: 'São Paulo',
  },
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_000,
} as const

const nullableText = () => z.string().nullable()

/** A customer as GET and every write show it. Null: not given. */
export const customerSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    document: z.string().meta({ description: 'CPF or CNPJ, without punctuation.' }),
    birthdate: nullableText(),
    phone: z
      .object({
        countryCode: z.int().nullable(),
        areaCode: z.int().nullable(),
        number: z.int().nullable(),
      })
      .meta({ id: 'CustomerPhone' })
      .nullable(),
    email: nullableText(),
    address: z
      .object({
        street: nullableText(),
        streetNumber: nullableText(),
        lineTwo: nullableText(),
        neighborhood: nullableText(),
        state: nullableText(),
        zipCode: nullableText(),
        city: nullableText(),
      })
      .meta({ id: 'CustomerAddress' })
      .nullable(),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'Customer', examples: [CUSTOMER_EXAMPLE] })

export type CustomerJson = z.output<typeof customerSchema>

export function presentCustomer({ id, fields, createdAt, updatedAt }: Customer): CustomerJson {
  if (!fields) throw new Error('a customer was answered without its fields')
  const { name, document, birthdate, phone, email, address } = fields
  return {
    id,
    name,
    document,
    birthdate: birthdate || null,
    phone: phone ? presentPhone(phone) : null,
    email: email || null,
    address: address ? presentAddress(address) : null,
    createdAt,
    updatedAt,
  }
}

function presentPhone({ countryCode, areaCode, number }: CustomerPhone) {
  return { countryCode: countryCode ?? null, areaCode: areaCode ?? null, number: number ?? null }
}

function presentAddress(address: CustomerAddress) {
  return {
    street: address.street || null,
    streetNumber: address.streetNumber || null,
    lineTwo: address.lineTwo || null,
    neighborhood: address.neighborhood || null,
    state: address.state || null,
    zipCode: address.zipCode || null,
    city: address.city || null,
  }
}
