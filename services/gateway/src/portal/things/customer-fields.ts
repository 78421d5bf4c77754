import type { CustomerJson } from '@cofre/api/customer'
import { parseDocument } from '@cofre/platform/card/tax-number'
import { matching } from '../bills/bill-customer'
import type { Field } from '../desk/fields'
import type { Ask } from '../desk/thing'
import type { Word } from '../words/portuguese'

export const ADDRESS = {
  street: 'Street',
  streetNumber: 'House number',
  lineTwo: 'Complement',
  neighborhood: 'Neighborhood',
  city: 'City',
  state: 'State',
  zipCode: 'CEP',
} as const satisfies Record<string, Word>

const PARTS = Object.keys(ADDRESS) as (keyof typeof ADDRESS)[]

/** Shown once a document was typed: two customers may share one, but seldom mean to. */
export const ANOTHER: Field = {
  name: 'another',
  label: 'Create one more customer with this CPF or CNPJ',
  kind: 'check',
}

/** Whether a customer has this document already. */
export async function isKnown(ask: Ask, document: unknown): Promise<boolean> {
  if (typeof document !== 'string' || parseDocument(document) === undefined) return false
  return (await matching(ask, document)).length > 0
}

/** The fields of a customer, as it is or empty. */
export function customerFields(customer?: CustomerJson): Field[] {
  const { name = '', document = '', email, phone, address } = customer ?? {}
  const { areaCode, number } = phone ?? {}
  return [
    { name: 'name', label: 'Name', kind: 'text', required: true, value: name },
    { name: 'document', label: 'CPF or CNPJ', kind: 'text', required: true, value: document },
    { name: 'email', label: 'E-mail', kind: 'text', value: email ?? '' },
    { name: 'phone.areaCode', label: 'Area code (DDD)', kind: 'phone', value: String(areaCode ?? '') },
    { name: 'phone.number', label: 'Phone', kind: 'phone', value: String(number ?? '') },
    ...PARTS.map((part): Field => ({
      name: `address.${part}`,
      label: ADDRESS[part],
      kind: 'text',
      value: address?.[part] ?? '',
    })),
  ]
}

/** The body for the API: address and phone only where something of them was typed. */
export function customerBody(typed: Record<string, unknown>, before?: CustomerJson) {
  const { name, document, email } = typed
  const address = Object.fromEntries(
    PARTS.flatMap((part) => {
      const text = typed[`address.${part}`]
      return text === undefined ? [] : [[part, text]]
    }),
  )
  const [areaCode, number] = [typed['phone.areaCode'], typed['phone.number']]
  const hasPhone = areaCode !== undefined || number !== undefined
  const countryCode = before?.phone?.countryCode ?? 55
  return {
    name,
    document,
    email,
    ...(before?.birthdate && { birthdate: before.birthdate }),
    ...(hasPhone && { phone: { countryCode, areaCode, number } }),
    ...(Object.keys(address).length > 0 && { address }),
  }
}
